"""The last steps on the lowered module: loops get their definitions, functions their
visibility, @main its `ks.*` attributes."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from typing import Any

from torch_mlir import ir

from kernelskill.errors import ExportError
from kernelskill.exporter.aliases import Place
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
        if loop.operation:
            body.attributes["ks.op"] = ir.StringAttr.get(loop.operation)
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


@dataclasses.dataclass
class Signature:
    """What the caller of @main is told, beside its type."""

    arguments: list[tuple[str, str]]  # name and kind
    dimensions: list[list[str]]  # names of open ones, of each argument
    ranges: dict[str, tuple[int, int]]  # of open dimensions
    mutations: list[int]  # the arguments whose new values are the first results
    results: list[Place]  # what the caller sees
    python: dict[str, Any]


def _argument(name: str, kind: str, dimensions: Sequence[str]) -> ir.Attribute:
    entry: dict[str, ir.Attribute] = {
        "ks.name": ir.StringAttr.get(name),
        "ks.kind": ir.StringAttr.get(kind),
    }
    if any(dimensions):
        names = [ir.StringAttr.get(dimension) for dimension in dimensions]
        entry["ks.dims"] = ir.ArrayAttr.get(names)
    return ir.DictAttr.get(entry)


def annotate(module: ir.Module, signature: Signature) -> None:
    """Writes the signature into the module."""
    main = _functions(module)["main"]
    if "torch.assume_strict_symbolic_shapes" in main.attributes:
        del main.attributes["torch.assume_strict_symbolic_shapes"]
    if len(main.type.inputs) != len(signature.arguments):
        raise ExportError("the graph has lost an argument")
    described = zip(signature.arguments, signature.dimensions)
    main.arg_attrs = ir.ArrayAttr.get([_argument(*a, dims) for a, dims in described])
    if signature.mutations:
        pairs = [number for pair in enumerate(signature.mutations) for number in pair]
        main.attributes["ks.mutations"] = ir.DenseI64ArrayAttr.get(pairs)
    places = [_place(place) for place in signature.results]
    main.attributes["ks.results"] = ir.ArrayAttr.get(places)
    if signature.ranges:
        main.attributes["ks.dim_ranges"] = ir.DictAttr.get(
            {
                name: ir.DenseI64ArrayAttr.get(list(bounds))
                for name, bounds in signature.ranges.items()
            }
        )
    text = json.dumps(signature.python, separators=(",", ":"))
    module.operation.attributes["ks.python"] = ir.StringAttr.get(text)
