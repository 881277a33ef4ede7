"""What an operation is computed as where torch-mlir's own lowering is missing, slow
or bloated: a function of the operation's arguments in other ATen operations.

`table()` is torch-mlir's table with this package's entries over it. Modules of this
folder register theirs with `decomposes`; those that replace a whole torch function
use `sources.replaces`.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import Any

_OURS: dict[Any, Callable[..., Any]] = {}
_MODULES = ("attention", "linear", "norms", "random", "recurrent", "simple", "statistics")


def decomposes(*operations: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorates the decomposition of `operations` (overloads)."""

    def decorate(implementation: Callable[..., Any]) -> Callable[..., Any]:
        for operation in operations:
            _OURS[operation] = implementation
        return implementation

    return decorate


@functools.cache
def table() -> dict[Any, Callable[..., Any]]:
    """Overload -> decomposition, for make_fx."""
    from torch_mlir.extras.fx_decomp_util import get_decomposition_table

    for name in _MODULES:
        importlib.import_module(f"{__name__}.{name}")
    return {**get_decomposition_table(), **_OURS}
