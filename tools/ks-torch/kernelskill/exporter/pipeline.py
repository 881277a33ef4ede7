"""The road of an export, from a module to text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
import torch.utils._pytree as pytree
from torch._subclasses.fake_tensor import FakeTensorMode

from kernelskill import trees
from kernelskill.errors import ExportError
from kernelskill.exporter import arguments as args_
from kernelskill.exporter import finish, graph, importer, lowering
from kernelskill.exporter.aliases import Place
from kernelskill.exporter.decompositions import decomposable
from kernelskill.exporter.program import Exported
from kernelskill.exporter.trace import Outcome, Traced, fake_like, trace

FORMAT = 1


def export_module(
    module: torch.nn.Module,
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    dynamic: Mapping[str, Mapping[int, str]],
) -> Exported:
    """See kernelskill.export."""
    call = args_.take_apart(module, args, kwargs)
    more: frozenset[Any] = frozenset()
    first = None
    while True:
        try:
            return _export(module, call, more)
        except lowering.NotLoweredError as error:
            first = first or error
            found = decomposable(error.operations) - more
            if not found:
                raise first from None
            more |= found


def _export(
    module: torch.nn.Module, call: args_.Call, more: frozenset[Any]
) -> Exported:
    arguments, inputs, traced = _trace(module, call, more, merged=False)
    if args_.sharers(arguments, traced.outcome.mutated):
        # What is written must be seen through each of its names.
        arguments, inputs, traced = _trace(module, call, more, merged=True)
        if pair := args_.sharers(arguments, traced.outcome.mutated):
            raise ExportError(
                f"forward writes to '{pair[0].name}', which shares its memory with "
                f"'{pair[1].name}'"
            )

    taken = {argument.name for argument in arguments}
    arguments += graph.lift_constants(traced.graph, taken)
    randoms, laws = graph.lift_random(traced.graph)
    for i, law in enumerate(laws, len(arguments)):
        law["argument"] = i
    arguments += randoms
    graph.clean(traced.graph)
    python = _signature(call, inputs, traced.outcome)
    python["random"] = laws
    places = [leaf for leaf in traced.outcome.leaves if isinstance(leaf, Place)]
    places += [place for _, place in traced.outcome.state]
    mutated = traced.outcome.mutated
    places = [_shift(place, len(mutated)) for place in places]
    mlir = _lower(traced.graph, arguments, mutated, places, python)
    state = {a.name: a.tensor for a in arguments if a.kind not in ("input", "random")}
    kinds = [(a.name, a.kind) for a in arguments]
    return Exported(mlir, state, python, kinds, mutated, places)


def _trace(
    module: torch.nn.Module, call: args_.Call, more: frozenset[Any], merged: bool
) -> tuple[list[args_.Argument], list[tuple[int, int]], Traced]:
    arguments, inputs = args_.inputs_of(call, merged)
    held = args_.of_model(module)
    arguments += held
    mode = FakeTensorMode(allow_non_fake_inputs=True)
    fakes = [fake_like(mode, argument.tensor) for argument in arguments]
    return arguments, inputs, trace(module, call, inputs, held, fakes, mode, more)


def _lower(
    graph_module: torch.fx.GraphModule,
    arguments: Sequence[args_.Argument],
    mutated: Sequence[int],
    places: Sequence[Place],
    python: dict[str, Any],
) -> str:
    context = importer.new_context()
    imported = importer.Importer(context)
    with context:
        imported.import_main(graph_module.graph)
        lowering.lower(imported.module)
        finish.define_loops(imported.module, imported)
        finish.mark_attention(imported.module, imported)
        finish.annotate(imported.module, arguments, mutated, places, python)
        imported.module.operation.verify()
        return imported.module.operation.get_asm(enable_debug_info=True)


def _shift(place: Place, mutated: int) -> Place:
    """Results of mutations come first."""
    if place.of != "result":
        return place
    return Place("result", place.index + mutated, place.view)


def _value(name: str, value: Any) -> Any:
    """A leaf that is no tensor, as JSON has it."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(
        value, (torch.dtype, torch.device, torch.memory_format, torch.layout)
    ):
        return {"torch": str(value)}
    if isinstance(value, complex):
        return {"complex": [value.real, value.imag]}
    raise ExportError(
        f"{name} holds a {type(value).__name__}: results are tensors, numbers, strings "
        "and None, in tuples, lists and dictionaries"
    )


def _spec(what: str, spec: pytree.TreeSpec) -> Any:
    try:
        return trees.describe(spec)
    except TypeError as error:
        raise ExportError(f"{what} cannot be described: it holds {error}") from error


def _signature(
    call: args_.Call, inputs: Sequence[tuple[int, int]], outcome: Outcome
) -> dict[str, Any]:
    leaves: list[dict[str, Any]] = []
    argument_of, first = dict(inputs), {}
    for i, (name, leaf) in enumerate(zip(call.names, call.leaves)):
        if i not in argument_of:
            value = _value(f"argument '{name}'", leaf)
            leaves.append({"name": name, "value": value})
        elif argument_of[i] in first:
            leaves.append({"name": name, "same_as": first[argument_of[i]]})
        else:
            first[argument_of[i]] = i
            leaves.append({"name": name, "argument": argument_of[i]})
    results, count = [], 0
    for leaf in outcome.leaves:
        if isinstance(leaf, Place):
            results.append({"result": count})
            count += 1
        else:
            results.append({"value": _value("the result", leaf)})
    return {
        "format": FORMAT,
        "call": {"tree": _spec("the call", call.spec), "leaves": leaves},
        "results": {"tree": _spec("the result", outcome.spec), "leaves": results},
        "state": [
            {"attribute": name, "result": count + i}
            for i, (name, _) in enumerate(outcome.state)
        ],
    }
