"""Draws the random numbers that an exported program takes as arguments.

`ks.python` of a program lists its draws in the order in which eager PyTorch makes
them: {"argument": 3, "law": "bernoulli", "p": 0.5, "dtype": "float32", "size": [4, 8]}.
Called in this order with the device's default generator, they are the numbers that
eager mode would get.
"""

from __future__ import annotations

from collections.abc import Mapping
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
    if law == "rand":
        return torch.rand(size, dtype=dtype, device=device)
    if law == "randn":
        return torch.randn(size, dtype=dtype, device=device)
    if law == "randint":
        low, high = entry["low"], entry["high"]
        return torch.randint(low, high, size, dtype=dtype, device=device)
    if law == "randperm":
        return torch.randperm(size[0], dtype=dtype, device=device)
    if law == "bernoulli":
        return torch.empty(size, dtype=dtype, device=device).bernoulli_(entry["p"])
    if law == "dropout":
        ones = torch.ones(size, dtype=getattr(torch, entry["of"]), device=device)
        return torch.nn.functional.dropout(ones, entry["p"], training=True) != 0
    raise ValueError(f"unknown law '{law}'")
