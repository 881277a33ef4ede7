"""Mean, variance and standard deviation in the type that PyTorch computes them in:
float32 for narrower types, the type itself otherwise. torch-mlir takes variances of
float64 copies, which no GPU likes. Two passes: the mean, then the mean of squares of
differences.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from kernelskill.exporter.decompositions import decomposes

aten = torch.ops.aten


def wide(x: Tensor) -> Tensor:
    """`x` in the type that PyTorch accumulates in."""
    return x.float() if x.dtype in (torch.float16, torch.bfloat16) else x


def _count(x: Tensor, dims: Sequence[int]) -> int:
    count = 1
    for dim in dims:
        count *= x.shape[dim]
    return count


def _dims(x: Tensor, dims: Sequence[int] | None) -> list[int]:
    if not dims:
        return list(range(x.dim()))
    return [d % max(x.dim(), 1) for d in dims]


def centred(x: Tensor, dims: Sequence[int]) -> tuple[Tensor, Tensor, Tensor]:
    """The mean, the difference from it and the mean of its squares along `dims`,
    with those dimensions kept; `x` is wide."""
    mean = x.mean(dims, keepdim=True)
    difference = x - mean
    return mean, difference, (difference * difference).mean(dims, keepdim=True)


def _var_mean(
    x: Tensor, dim: Sequence[int] | None, correction: float | None, keepdim: bool
) -> tuple[Tensor, Tensor]:
    dims = _dims(x, dim)
    if x.dim() == 0:
        x, dims = x.reshape(1), [0]
        keepdim = False
    mean = wide(x).mean(dims, keepdim=True)
    difference = wide(x) - mean
    squares = (difference * difference).sum(dims, keepdim=True)
    count = _count(x, dims)
    correction = 1 if correction is None else correction
    # PyTorch: no freedom left gives NaN or infinity, by dividing by zero.
    if isinstance(count, int):
        variance = squares / max(count - correction, 0)
    else:
        variance = squares / torch.sym_max(count - correction, 0)
    if not keepdim:
        mean, variance = mean.squeeze(dims), variance.squeeze(dims)
    return variance, mean


@decomposes(aten.var_mean.correction)
def var_mean(x, dim=None, *, correction=None, keepdim=False):
    if x.is_complex():
        return NotImplemented
    variance, mean = _var_mean(x, dim, correction, keepdim)
    return variance.to(x.dtype), mean.to(x.dtype)


@decomposes(aten.var.correction)
def var(x, dim=None, *, correction=None, keepdim=False):
    if x.is_complex():
        return NotImplemented
    return _var_mean(x, dim, correction, keepdim)[0].to(x.dtype)


@decomposes(aten.std.correction)
def std(x, dim=None, *, correction=None, keepdim=False):
    if x.is_complex():
        return NotImplemented
    return _var_mean(x, dim, correction, keepdim)[0].sqrt().to(x.dtype)


@decomposes(aten.std_mean.correction)
def std_mean(x, dim=None, *, correction=None, keepdim=False):
    variance, mean = _var_mean(x, dim, correction, keepdim)
    return variance.sqrt().to(x.dtype), mean.to(x.dtype)
