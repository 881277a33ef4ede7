"""Whether a program of open dimensions serves the size 1.

A trace takes an open size for more than 1, and what a model does with 1 may be
something else: squeeze drops such dimensions, sums broadcast along them. So the model
is traced once more at 1, and the open program is run at 1: they must compute the same
results by the same operations. Copies and views that change nothing do not count.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensor, unset_fake_temporarily
from torch.fx import GraphModule, Node
from torch.fx.experimental.proxy_tensor import make_fx

from kernelskill.exporter import operators
from kernelskill.exporter.constants import INLINE

aten = torch.ops.aten

_COPIES = (
    *(aten.clone.default, aten.alias.default, aten.detach.default),
    aten.lift_fresh_copy.default,
)
_VIEWS = (aten.view.default, aten._unsafe_view.default)
_MOVES = (aten.expand.default, aten.slice.Tensor)


def _run_at(graph: GraphModule, fakes: Sequence[torch.Tensor]) -> GraphModule:
    """The graph's steps for other sizes of its arguments."""

    def run(*tensors: torch.Tensor) -> Any:
        return torch.fx.Interpreter(graph).run(*tensors)

    with fakes[0].fake_mode, torch.no_grad():
        return make_fx(run, _allow_non_fake_inputs=True)(*fakes)


class _Numbering:
    """Equal numbers for equal computations, across graphs."""

    def __init__(self) -> None:
        self._numbers: dict[Hashable, int] = {}

    def number(self, key: Hashable) -> int:
        return self._numbers.setdefault(key, len(self._numbers))

    def results(self, graph: GraphModule) -> int:
        """The number of what a graph returns."""
        numbers: dict[Node, int] = {}
        views: dict[int, int] = {}  # of a view, that of what it is a view of
        order = 0

        def of(x: Any) -> Hashable:
            if isinstance(x, Node):
                return "node", numbers[x]
            if isinstance(x, (list, tuple)):
                return tuple(map(of, x))
            if isinstance(x, dict):
                return tuple((key, of(value)) for key, value in x.items())
            return type(x).__name__, str(x)

        for node in graph.graph.nodes:
            if node.op in ("placeholder", "get_attr"):
                numbers[node] = self.number(self._source(graph, node, order))
            elif node.op == "output":
                return self.number(("output", of(node.args)))
            elif node.target in _COPIES or self._moves_nothing(node):
                numbers[node] = numbers[node.args[0]]
            elif node.target in _VIEWS:
                base = numbers[node.args[0]]
                base = views.get(base, base)
                shape = tuple(node.meta["val"].shape)
                numbers[node] = self.number(("view", base, shape))
                views[numbers[node]] = base
            else:
                drawn = order if node.target is operators.random else 0
                key = str(node.target), of(node.args), of(node.kwargs), drawn
                numbers[node] = self.number(key)
            order += node.op == "placeholder" or node.target is operators.random
        raise AssertionError("a graph without an output")

    @staticmethod
    def _moves_nothing(node: Node) -> bool:
        if node.target not in _MOVES:
            return False
        return node.meta["val"].shape == node.args[0].meta["val"].shape

    def _source(self, graph: GraphModule, node: Node, order: int) -> Hashable:
        if node.op == "placeholder":
            return "argument", order
        held = getattr(graph, node.target)
        if isinstance(held, GraphModule):
            return "body", self.results(held)
        if isinstance(held, FakeTensor) or held.numel() > INLINE:
            return "tensor", id(held)
        with unset_fake_temporarily():
            return "constant", str(held.dtype), str(held.tolist())


def serves(open_: GraphModule, settled: GraphModule) -> bool:
    """Whether `open_` does what `settled`, a trace of the same model at 1, does."""
    placeholders = [n for n in settled.graph.nodes if n.op == "placeholder"]
    at_one = _run_at(open_, [n.meta["val"] for n in placeholders])
    numbering = _Numbering()
    return numbering.results(at_one) == numbering.results(settled)
