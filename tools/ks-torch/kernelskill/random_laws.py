"""Draws the random numbers that an exported program takes as arguments.

`ks.python` of a program lists its draws in the order in which eager PyTorch makes
them: {"argument": 3, "law": "bernoulli", "p": 0.5, "dtype": "float32", "size": [4, 8]}.
Called in this order with the device's default generator, they are the numbers that
eager mode would get.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch


def draw(
    entry: Mapping[str, Any],
    device: torch.device | str,
    sizes: Mapping[str, int] | None = None,
) -> torch.Tensor:
    """The tensor for one entry. `sizes` are those of open dimensions by their names,
    which stand in `size`."""
    size = [n if isinstance(n, int) else (sizes or {})[n] for n in entry["size"]]
    dtype = getattr(torch, entry["dtype"])
    law = entry["law"]
    if law == "randperm":
        return torch.randperm(size[0], dtype=dtype, device=device)
    if law == "dropout":
        ones = _empty(entry, size, getattr(torch, entry["of"]), device).fill_(1)
        return torch.native_dropout(ones, entry["p"], True)[1].contiguous()
    values = _empty(entry, size, dtype, device)
    if law == "rand":
        values.uniform_()
    elif law == "randn":
        values.normal_()
    elif law == "randint":
        values.random_(entry["low"], entry["high"])
    elif law == "bernoulli":
        values.bernoulli_(entry["p"])
    elif law in ("exponential", "geometric", "cauchy", "log_normal"):
        getattr(values, law + "_")(*entry["parameters"])
    else:
        raise ValueError(f"unknown law '{law}'")
    return values.contiguous()


def _empty(
    entry: Mapping[str, Any],
    size: Sequence[int],
    dtype: torch.dtype,
    device: torch.device | str,
) -> torch.Tensor:
    """Memory in the order in which eager mode fills it."""
    if "strides" in entry:
        strides = entry["strides"]
        return torch.empty_strided(size, strides, dtype=dtype, device=device)
    return torch.empty(size, dtype=dtype, device=device)
