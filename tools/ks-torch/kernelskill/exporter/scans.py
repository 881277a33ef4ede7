"""The scan operator of a user's program (torch._higher_order_ops.scan).

PyTorch would compile the step to find out which tensors it reads beside its
arguments: the model's weights, mostly. Here the step is run once to see them; they
become additional arguments of the scan, and stand in for themselves in its body.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch.utils._pytree as pytree
from torch import Tensor
from torch._higher_order_ops.scan import scan_op
from torch.overrides import TorchFunctionMode


class _Read(TorchFunctionMode):
    """Collects the tensors that are read and were not made in between."""

    def __init__(self, given: Sequence[Tensor]) -> None:
        super().__init__()
        self._known = {id(x): x for x in given}
        self.found: dict[int, Tensor] = {}

    def __torch_function__(
        self,
        func: Any,
        types: Any,
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        kwargs = kwargs or {}
        for x in pytree.tree_leaves((args, dict(kwargs))):
            if isinstance(x, Tensor) and id(x) not in self._known:
                self.found[id(x)] = x
        result = func(*args, **kwargs)
        made = [x for x in pytree.tree_leaves(result) if isinstance(x, Tensor)]
        self._known |= {id(x): x for x in made if id(x) not in self.found}
        return result


class _StandIns(TorchFunctionMode):
    """Reads other tensors instead of some."""

    def __init__(self, instead: Mapping[int, Tensor]) -> None:
        super().__init__()
        self._instead = instead

    def __torch_function__(
        self,
        func: Any,
        types: Any,
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        def other(x: Any) -> Any:
            return self._instead.get(id(x), x)

        args, kwargs = pytree.tree_map(other, (args, dict(kwargs or {})))
        return func(*args, **kwargs)


def _unaliased(outputs: Sequence[Tensor], inputs: Sequence[Tensor]) -> list[Tensor]:
    seen = {id(x) for x in inputs}
    result = []
    for x in outputs:
        result.append(x.clone() if id(x) in seen else x)
        seen.add(id(x))
    return result


def run(
    function: Callable[..., Any],
    combine: Callable[..., Any],
    inits: Sequence[Tensor],
    xs: Sequence[Tensor],
) -> Any:
    """Takes the place of what PyTorch calls to compile and run a scan."""
    first = [*inits, *(x[0] for x in xs)]
    with _Read(first) as read:
        made = combine(*first)
    captured = list(read.found.values())

    def body(*values: Tensor) -> list[Tensor]:
        own, rest = values[: len(first)], values[len(first) :]
        with _StandIns({id(x): y for x, y in zip(captured, rest)}):
            return _unaliased(pytree.tree_leaves(combine(*own)), own)

    flat = scan_op(body, list(inits), list(xs), tuple(captured))
    return pytree.tree_unflatten(list(flat), pytree.tree_structure(made))
