"""What an operation is computed as where torch-mlir's own lowering is missing, slow
or bloated: a function of the operation's arguments in other ATen operations.

`table()` is torch-mlir's table with this package's entries over it. Modules of this
folder register theirs with `decomposes`; those that replace a whole torch function
use `replacing.replaces`.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Iterable
from typing import Any

import torch

# PyTorch decomposes these, and torch-mlir lowers them not at all or wrongly.
_LACKING = [
    torch.ops.aten.upsample_linear1d,
    torch.ops.aten.upsample_bilinear2d,
    torch.ops.aten.upsample_trilinear3d,
    torch.ops.aten.upsample_bicubic2d,
]

_OURS: dict[Any, Callable[..., Any]] = {}
_MODULES = (
    *(
        "attention",
        "backward",
        "cells",
        "indexing",
        "linear",
        "norms",
        "order",
        "pools",
        "random",
        "recurrent",
    ),
    *("simple", "statistics", "transformer"),
)


def decomposes(*operations: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorates the decomposition of `operations` (overloads)."""

    def decorate(implementation: Callable[..., Any]) -> Callable[..., Any]:
        for operation in operations:
            _OURS[operation] = implementation
        return implementation

    return decorate


def _first_of(
    ours: Callable[..., Any], theirs: Callable[..., Any] | None
) -> Callable[..., Any]:
    """`ours`, and `theirs` where ours does not apply."""
    if theirs is None:
        return ours

    @functools.wraps(ours)
    def either(*args: Any, **kwargs: Any) -> Any:
        result = ours(*args, **kwargs)
        return theirs(*args, **kwargs) if result is NotImplemented else result

    return either


@functools.cache
def table(more: frozenset[Any] = frozenset()) -> dict[Any, Callable[..., Any]]:
    """Overload -> decomposition, for make_fx; with PyTorch's own for `more`."""
    from torch._decomp import get_decompositions
    from torch_mlir.extras.fx_decomp_util import get_decomposition_table

    from kernelskill.exporter.decompositions import halves

    for name in _MODULES:
        importlib.import_module(f"{__name__}.{name}")
    known = {**get_decomposition_table(), **get_decompositions(_LACKING)}
    known |= {op: _first_of(ours, known.get(op)) for op, ours in _OURS.items()}
    known |= get_decompositions([op for op in more if op not in known])
    return {**known, **halves.widen(known)}


def decomposable(names: Iterable[str]) -> frozenset[Any]:
    """Those of the operations, "torch.aten.name.overload", that the table has nothing
    for and PyTorch has: torch-mlir knows neither, or it would have lowered them."""
    from torch._decomp import decomposition_table

    found = set()
    for name in names:
        _, namespace, operation, *rest = name.split(".")
        packet = getattr(getattr(torch.ops, namespace), operation, None)
        overload = getattr(packet, ".".join(rest) or "default", None)
        if overload in decomposition_table and overload not in table():
            found.add(overload)
    return frozenset(found)
