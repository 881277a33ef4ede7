"""Functions of PyTorch that run as others in an export."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from unittest import mock

import torch
import torch.utils._pytree as pytree

# Function -> function with the same arguments; filled by `replaces`.
REPLACEMENTS: dict[Any, Callable[..., Any]] = {}

# Calls that the mode has taken and that are running: it sees none that they make.
_inside: list[Any] = []


def run(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """Runs a function that a model calls, or what stands for it."""
    _inside.append(function)
    try:
        return REPLACEMENTS.get(function, function)(*args, **kwargs)
    finally:
        _inside.pop()


def replaces(
    *functions: Any, autocast: str = "keep"
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorates what an export computes instead of `functions`. In a region of
    torch.autocast the implementation runs as it is and is cast piece by piece (keep),
    is not cast (off), or takes its operands in the region's type (lower)."""

    def decorate(implementation: Callable[..., Any]) -> Callable[..., Any]:
        whole = implementation
        if autocast != "keep":
            whole = _outside_autocast(implementation, autocast == "lower")
        for function in functions:
            REPLACEMENTS[function] = whole
        return implementation

    return decorate


def _outside_autocast(
    implementation: Callable[..., Any], lower: bool
) -> Callable[..., Any]:
    @functools.wraps(implementation)
    def call(*args: Any, **kwargs: Any) -> Any:
        leaves = pytree.tree_leaves((args, kwargs))
        kinds = {x.device.type for x in leaves if isinstance(x, torch.Tensor)}
        kind = next((k for k in kinds if torch.is_autocast_enabled(k)), None)
        if kind is None:
            return implementation(*args, **kwargs)
        dtype = torch.get_autocast_dtype(kind)

        def cast(x: Any) -> Any:
            narrow = isinstance(x, torch.Tensor) and x.dtype is torch.float32
            return x.to(dtype) if narrow and lower else x

        args, kwargs = pytree.tree_map(cast, (args, kwargs))
        with torch.autocast(kind, enabled=False):
            return implementation(*args, **kwargs)

    return call


@contextlib.contextmanager
def nested_replacements() -> Iterator[None]:
    """Replacements also where functions of torch.nn.functional call each other: there
    a mode that took the outer call does not see the inner one."""
    functional = torch.nn.functional
    with contextlib.ExitStack() as stack:
        for name, function in list(vars(functional).items()):
            if callable(function) and function in REPLACEMENTS:
                patch = mock.patch.object(functional, name, _nested(function))
                stack.enter_context(patch)
        yield


def _nested(function: Any) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        return (REPLACEMENTS[function] if _inside else function)(*args, **kwargs)

    return call
