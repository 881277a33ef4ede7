"""Open dimensions: sizes that one export leaves to the call.

Each name is a symbol while the model is traced. What the model asks about it becomes
the range of sizes for which the program is right; a model that settles the size, or
asks for more than a range can say, is refused. In the IR such dimensions are `?`,
with their names in `ks.dims` of the argument and the ranges in `ks.dim_ranges`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from unittest import mock

import torch
from torch._dynamo.source import ConstantSource
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.symbolic_shapes import DimDynamic, ShapeEnv

from kernelskill.errors import ExportError
from kernelskill.exporter.arguments import Argument

# The largest size where the model sets no limit.
_MOST = 2**31 - 1

Wanted = Mapping[str, Mapping[int, str]]


class Dimensions:
    """The open dimensions of one trace. Those in `ones` are settled: 1."""

    def __init__(
        self,
        wanted: Wanted,
        arguments: Sequence[Argument],
        ones: frozenset[str] = frozenset(),
    ) -> None:
        self._wanted, self._ones = wanted, ones
        inputs = {a.name: a.tensor for a in arguments if a.kind == "input"}
        self._sizes: dict[str, int] = {}  # of the example
        for name, dims in wanted.items():
            if name not in inputs:
                raise ExportError(
                    f"'{name}' has open dimensions and is no tensor of the call, which "
                    f"are: {', '.join(inputs)}"
                )
            for dim, label in dims.items():
                if label not in ones:
                    self._add(name, inputs[name], dim, label)
        self._env = ShapeEnv(duck_shape=False) if self._sizes else None
        self.mode = FakeTensorMode(allow_non_fake_inputs=True, shape_env=self._env)
        self._symbols = {label: self._symbol(label) for label in self._sizes}
        self._names = {str(s.node.expr): label for label, s in self._symbols.items()}

    def _add(self, name: str, tensor: torch.Tensor, dim: int, label: str) -> None:
        if not label or not isinstance(label, str):
            raise ExportError(f"an open dimension of '{name}' has no name")
        if not 0 <= dim < tensor.dim():
            raise ExportError(f"'{name}' has no dimension {dim}")
        size = tensor.shape[dim]
        if self._sizes.setdefault(label, size) != size:
            raise ExportError(
                f"the open dimension '{label}' is {self._sizes[label]} and, in "
                f"'{name}', {size}"
            )
        if size < 2:
            raise ExportError(
                f"the open dimension '{label}' is {size} in '{name}': an example of 0 "
                "or 1 says too little about other sizes"
            )

    def _symbol(self, label: str) -> torch.SymInt:
        source = ConstantSource(label)
        symbol = self._env.create_symbol(
            self._sizes[label],
            source=source,
            dynamic_dim=DimDynamic.DYNAMIC,
            constraint_dim=None,
        )
        return self._env.create_symintnode(
            symbol, hint=self._sizes[label], source=source
        )

    def fake(self, argument: Argument) -> torch.Tensor:
        """A contiguous fake tensor of the shape, type and device of the argument's."""
        tensor, shape = argument.tensor, list(argument.tensor.shape)
        if argument.kind == "input":
            for dim, label in self._wanted.get(argument.name, {}).items():
                shape[dim] = 1 if label in self._ones else self._symbols[label]
        device = torch.device("cpu") if tensor.is_meta else tensor.device
        with self.mode:
            return torch.empty(shape, dtype=tensor.dtype, device=device)

    def names(self, shape: Sequence[Any]) -> list[str]:
        """The names of a shape's dimensions, empty for those that are settled."""
        names = []
        for size in shape:
            expression = "" if isinstance(size, int) else str(size.node.expr)
            if expression and expression not in self._names:
                raise ExportError(f"an argument of size {self._readable(expression)}")
            names.append(self._names.get(expression, ""))
        return names

    def ranges(self) -> dict[str, tuple[int, int]]:
        """The sizes for which the traced program is right. Raises if that is no
        range."""
        if self._env is None:
            return {}
        found = {}
        for label, symbol in self._symbols.items():
            settled = self._env.replace(symbol.node.expr)
            if settled.is_number:
                raise ExportError(
                    f"the open dimension '{label}' can only be {settled}: the model "
                    "depends on its size"
                )
            bounds = self._env.var_to_range[symbol.node.expr]
            most = bounds.upper
            upper = int(most) if most.is_Integer and most < _MOST else _MOST
            found[label] = int(bounds.lower), upper
        for guard in self._env.guards:
            known = self._env._maybe_evaluate_static(guard.expr, axioms=())
            if known is None or not bool(known):
                said = self._readable(str(guard.expr))
                raise ExportError(f"the model asks of its open dimensions that {said}")
        return found

    def _readable(self, expression: str) -> str:
        for symbol, label in self._names.items():
            expression = expression.replace(symbol, label)
        return expression

    @contextlib.contextmanager
    def tracing(self) -> Iterator[None]:
        """No limits from which library PyTorch would take for a convolution."""
        if self._env is None:
            yield
            return
        select = torch._C._select_conv_backend

        def quietly(*args: Any, **kwargs: Any) -> Any:
            with self._env.suppress_guards():
                return select(*args, **kwargs)

        with mock.patch.object(torch._C, "_select_conv_backend", quietly):
            yield
