"""The road of an export, from a module to text."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Any

import torch
import torch.utils._pytree as pytree

from kernelskill import trees
from kernelskill.errors import ExportError
from kernelskill.exporter import arguments as args_
from kernelskill.exporter import comparing, finish, graph, importer, lowering
from kernelskill.exporter.aliases import Place
from kernelskill.exporter.decompositions import decomposable
from kernelskill.exporter.dimensions import Dimensions, Wanted
from kernelskill.exporter.finish import Signature
from kernelskill.exporter.program import Exported
from kernelskill.exporter.trace import Outcome, trace

FORMAT = 1

# A trace replaces functions of PyTorch, and tensors of the model.
_ONE_AT_A_TIME = threading.RLock()

# Kinds of arguments that a model holds.
STATE = ("parameter", "buffer", "constant")


def export_module(
    module: torch.nn.Module,
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    dynamic: Wanted,
) -> Exported:
    """See kernelskill.export."""
    call = args_.take_apart(module, args, kwargs)
    with _ONE_AT_A_TIME:
        return _with_fallbacks(module, call, dynamic)


def _with_fallbacks(
    module: torch.nn.Module, call: args_.Call, dynamic: Wanted
) -> Exported:
    """Decomposes as PyTorch does what turns out not to be lowered."""
    more: frozenset[Any] = frozenset()
    first = None
    while True:
        try:
            return _export(module, call, dynamic, more)
        except lowering.NotLoweredError as error:
            first = first or error
            found = decomposable(error.operations) - more
            if not found:
                raise first from None
            more |= found


def _export(
    module: torch.nn.Module, call: args_.Call, wanted: Wanted, more: frozenset[Any]
) -> Exported:
    run = _Run(module, call, wanted, more, merged=False)
    if args_.sharers(run.arguments, run.outcome.mutated):
        # What is written must be seen through each of its names.
        run = _Run(module, call, wanted, more, merged=True)
        if pair := args_.sharers(run.arguments, run.outcome.mutated):
            raise ExportError(
                f"forward writes to '{pair[0].name}', which shares its memory with "
                f"'{pair[1].name}'"
            )

    ranges = {
        label: (1 if least == 2 and _serves_one(run, label) else least, most)
        for label, (least, most) in run.dimensions.ranges().items()
    }
    laws = _lift(run)
    outcome = run.outcome
    places = [leaf for leaf in outcome.leaves if isinstance(leaf, Place)]
    places += [place for _, place in outcome.state]
    signature = Signature(
        arguments=[(a.name, a.kind) for a in run.arguments],
        dimensions=[run.dimensions.names(shape) for shape in graph.shapes(run.graph)],
        ranges=ranges,
        mutations=outcome.mutated,
        results=[_shift(place, len(outcome.mutated)) for place in places],
        python={**_python(call, run.inputs, outcome), "random": laws},
    )
    mlir = _lower(run.graph, signature)
    tensors = {a.name: a.tensor for a in run.arguments}
    state = {n: tensors[n] for n, k in signature.arguments if k in STATE}
    return Exported(
        mlir,
        state,
        signature.python,
        signature.arguments,
        signature.mutations,
        signature.results,
    )


def _serves_one(run: _Run, label: str) -> bool:
    try:
        one = run.again(frozenset([label]))
    except ExportError:
        return False
    same = comparing.serves(run.graph, one.graph)
    return same and run.outcome.mutated == one.outcome.mutated


def _tell_apart(arguments: Sequence[args_.Argument]) -> None:
    """Renames inputs that are called as something that the model holds is."""
    taken = {argument.name for argument in arguments if argument.kind != "input"}
    for argument in arguments:
        if argument.kind == "input":
            while argument.name in taken:
                argument.name += ".input"
            taken.add(argument.name)


def _lift(run: _Run) -> list[dict[str, Any]]:
    """Makes arguments of the constants and of the draws of a traced graph; returns
    what the caller needs to know to draw."""
    _tell_apart(run.arguments)
    taken = {argument.name for argument in run.arguments}
    run.arguments += graph.lift_constants(run.graph, taken)
    randoms, laws = graph.lift_random(run.graph)
    for number, (argument, law) in enumerate(zip(randoms, laws), len(run.arguments)):
        shape = argument.tensor.shape
        names = run.dimensions.names(shape)
        law["size"] = [name or int(size) for name, size in zip(names, shape)]
        law["argument"] = number
    run.arguments += randoms
    graph.clean(run.graph)
    return laws


class _Run:
    """A traced call: the graph, and what its arguments are."""

    def __init__(
        self,
        module: torch.nn.Module,
        call: args_.Call,
        wanted: Wanted,
        more: frozenset[Any],
        merged: bool,
        ones: frozenset[str] = frozenset(),
    ) -> None:
        self._made_from = module, call, wanted, more, merged
        self.arguments, self.inputs = args_.inputs_of(call, merged)
        held = args_.of_model(module)
        self.arguments += held
        self.dimensions = Dimensions(wanted, self.arguments, ones)
        fakes = [self.dimensions.fake(argument) for argument in self.arguments]
        traced = trace(module, call, self.inputs, held, fakes, self.dimensions, more)
        self.graph, self.outcome = traced.graph, traced.outcome

    def again(self, ones: frozenset[str]) -> _Run:
        """The same with some open dimensions settled to 1."""
        return _Run(*self._made_from, ones)


def _lower(graph_module: torch.fx.GraphModule, signature: Signature) -> str:
    context = importer.new_context()
    imported = importer.Importer(context)
    with context:
        imported.import_main(graph_module.graph)
        lowering.lower(imported.module)
        finish.define_loops(imported.module, imported)
        finish.mark_attention(imported.module, imported)
        finish.annotate(imported.module, signature)
        imported.module.operation.verify()
        return imported.module.operation.get_asm(enable_debug_info=True)


def _shift(place: Place, mutated: int) -> Place:
    """Results of mutations come first."""
    if place.of != "result":
        return place
    return Place("result", place.index + mutated, place.view)


def _value(name: str, value: Any) -> Any:
    """A leaf that is no tensor, as JSON has it."""
    try:
        return trees.describe_leaf(value)
    except TypeError as error:
        raise ExportError(
            f"{name} holds {error}: results are tensors, numbers, strings and None, in "
            "tuples, lists and dictionaries"
        ) from error


def _spec(what: str, spec: pytree.TreeSpec) -> Any:
    try:
        return trees.describe(spec)
    except TypeError as error:
        raise ExportError(f"{what} cannot be described: it holds {error}") from error


def _python(
    call: args_.Call, inputs: Sequence[tuple[int, int]], outcome: Outcome
) -> dict[str, Any]:
    leaves: list[dict[str, Any]] = []
    argument_of = dict(inputs)
    first: dict[int, int] = {}
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
