"""The last steps on the lowered module: loops get their definitions, functions their
visibility, @main its `ks.*` attributes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from torch_mlir import ir

from kernelskill.errors import ExportError
from kernelskill.exporter.aliases import Place
from kernelskill.exporter.arguments import Argument
from kernelskill.exporter.importer import Importer
from kernelskill.exporter.loops import define


def _functions(module: ir.Module) -> dict[str, Any]:
    return {
        ir.StringAttr(op.attributes["sym_name"]).value: op
        for op in module.body.operations
        if op.operation.name == "func.func"
    }


def define_loops(module: ir.Module, importer: Importer) -> None:
    functions = _functions(module)
    for loop in importer.loops:
        declaration, body = functions[loop.name], functions[loop.body]
        body.attributes["sym_visibility"] = ir.StringAttr.get("private")
        text = define(
            loop, declaration.type, body.type, str(declaration.operation.location)
        )
        other = f"func.func private @{loop.body}{_signature(body.type)}"
        parsed = ir.Module.parse(f"{text}\n{other}", module.context)
        definition = parsed.body.operations[0]
        definition.operation.detach_from_parent()
        declaration.operation.erase()
        module.body.append(definition)


def mark_attention(module: ir.Module, importer: Importer) -> None:
    functions = _functions(module)
    for entry in importer.attentions.values():
        attributes = functions[entry.name].attributes
        attributes["sym_visibility"] = ir.StringAttr.get("private")
        attributes["ks.op"] = ir.StringAttr.get("attention")
        attributes["ks.scale"] = ir.FloatAttr.get_f64(entry.scale)
        attributes["ks.causal"] = ir.BoolAttr.get(entry.causal)


def _signature(kind: ir.FunctionType) -> str:
    inputs, results = map(str, kind.inputs), map(str, kind.results)
    return f"({', '.join(inputs)}) -> ({', '.join(results)})"


def _place(place: Place) -> ir.Attribute:
    i64 = ir.IntegerType.get_signless(64)
    entry: dict[str, ir.Attribute] = {place.of: ir.IntegerAttr.get(i64, place.index)}
    if place.view is not None:
        entry["sizes"] = ir.DenseI64ArrayAttr.get(list(place.view.sizes))
        entry["strides"] = ir.DenseI64ArrayAttr.get(list(place.view.strides))
        entry["offset"] = ir.IntegerAttr.get(i64, place.view.offset)
    return ir.DictAttr.get(entry)


def annotate(
    module: ir.Module,
    arguments: Sequence[Argument],
    mutated: Sequence[int],
    places: Sequence[Place],
    python: dict[str, Any],
) -> None:
    """Writes the signature into the module."""
    main = _functions(module)["main"]
    if "torch.assume_strict_symbolic_shapes" in main.attributes:
        del main.attributes["torch.assume_strict_symbolic_shapes"]
    if len(main.type.inputs) != len(arguments):
        raise ExportError("the graph has lost an argument")
    main.arg_attrs = ir.ArrayAttr.get(
        [
            ir.DictAttr.get(
                {
                    "ks.name": ir.StringAttr.get(argument.name),
                    "ks.kind": ir.StringAttr.get(argument.kind),
                }
            )
            for argument in arguments
        ]
    )
    if mutated:
        pairs = [number for pair in enumerate(mutated) for number in pair]
        main.attributes["ks.mutations"] = ir.DenseI64ArrayAttr.get(pairs)
    main.attributes["ks.results"] = ir.ArrayAttr.get([_place(p) for p in places])
    text = json.dumps(python, separators=(",", ":"))
    module.operation.attributes["ks.python"] = ir.StringAttr.get(text)
