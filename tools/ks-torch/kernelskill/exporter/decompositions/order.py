"""Order statistics by sorting, and running extremes."""

from __future__ import annotations

import torch
from torch import Tensor

from kernelskill.errors import ExportError
from kernelskill.exporter.decompositions import decomposes
from kernelskill.exporter.replacing import replaces

aten = torch.ops.aten


def _pick(
    values: Tensor, indices: Tensor, k: int, dim: int, keepdim: bool
) -> tuple[Tensor, Tensor]:
    """Entry `k` along `dim` of what is sorted."""
    if values.dim() == 0:
        return values, indices
    picked = values.select(dim, k), indices.select(dim, k)
    if keepdim:
        picked = picked[0].unsqueeze(dim), picked[1].unsqueeze(dim)
    return picked


@decomposes(aten.kthvalue.default)
def kthvalue(x, k, dim=-1, keepdim=False):
    return _pick(*x.sort(dim), k - 1, dim, keepdim)


@decomposes(aten.median.dim)
def median(x, dim, keepdim=False):
    """The lower of two in the middle. NaN comes last in order, and first here."""
    values, indices = x.sort(dim)
    count = x.shape[dim] if x.dim() else 1
    middle = _pick(values, indices, (count - 1) // 2, dim, keepdim)
    if not x.is_floating_point():
        return middle
    last = _pick(values, indices, count - 1, dim, keepdim)
    unknown = torch.isnan(last[0])
    return tuple(torch.where(unknown, a, b) for a, b in zip(last, middle))


@decomposes(aten.median.default)
def median_of_all(x):
    return median(x.reshape(-1), 0)[0]


def _running(x: Tensor, dim: int, least: float | int, most) -> tuple[Tensor, Tensor]:
    """Each prefix by itself: no carried index is needed, and nothing is written
    between. Of equal ones the last counts, and of NaN."""
    if x.dim() == 0:
        return x.clone(), torch.zeros_like(x, dtype=torch.int64)
    moved = x.movedim(dim, -1)
    places = torch.arange(moved.shape[-1], device=x.device)
    before = places <= places.unsqueeze(-1)
    values = most(torch.where(before, moved.unsqueeze(-2), least), -1)
    same = moved.unsqueeze(-2) == values.unsqueeze(-1)
    if x.is_floating_point():
        same = same | moved.isnan().unsqueeze(-2)
    indices = torch.where(before & same, places, -1).amax(-1)
    return values.movedim(-1, dim), indices.movedim(-1, dim)


def _bounds(dtype: torch.dtype) -> tuple[float | int, float | int]:
    if dtype.is_floating_point:
        return -torch.inf, torch.inf
    info = torch.iinfo(dtype)
    return info.min, info.max


@decomposes(aten.cummax.default)
def cummax(x, dim):
    return _running(x, dim, _bounds(x.dtype)[0], torch.amax)


@decomposes(aten.cummin.default)
def cummin(x, dim):
    return _running(x, dim, _bounds(x.dtype)[1], torch.amin)


@replaces(torch.quantile, torch.Tensor.quantile)
def quantile(input, q, dim=None, keepdim=False, *, interpolation="linear", out=None):
    """PyTorch's own looks at the values of `q`."""
    if out is not None or (isinstance(q, Tensor) and q.dim() > 1):
        raise ExportError("torch.quantile with `out` or with a matrix of quantiles")
    many = isinstance(q, Tensor) and q.dim() == 1
    x = input.reshape(-1) if dim is None else input.movedim(dim, -1)
    ordered = x.sort(-1).values
    last = ordered.shape[-1] - 1
    ranks = torch.as_tensor(q, dtype=x.dtype, device=x.device).reshape(-1) * last
    if interpolation == "nearest":
        ranks = ranks.round()
    low, high = ranks.floor(), ranks.ceil()
    below = ordered.index_select(-1, low.long())
    above = ordered.index_select(-1, high.long())
    weight = {"lower": 0.0, "higher": 1.0, "midpoint": 0.5}.get(interpolation)
    value = torch.lerp(below, above, ranks - low if weight is None else weight)
    unknown = ordered[..., -1:].isnan()
    value = torch.where(unknown, torch.nan, value)  # (..., quantiles)
    if keepdim:
        value = value.unsqueeze(-2)
        value = (
            value.movedim(-2, dim)
            if dim is not None
            else value.reshape(*[1] * input.dim(), -1)
        )
    return value.movedim(-1, 0) if many else value.squeeze(-1)


@decomposes(aten.searchsorted.Tensor)
def searchsorted(
    ordered, values, *, out_int32=False, right=False, side=None, sorter=None
):
    """The number of entries below: nothing is searched, and nothing depends on the
    step before."""
    if sorter is not None:
        ordered = ordered.gather(-1, sorter)
    below, places = ordered.unsqueeze(-2), values.unsqueeze(-1)
    if right or side == "right":
        counted = below <= places
    else:
        counted = below < places
    counts = counted.sum(-1).to(torch.int32 if out_int32 else torch.int64)
    return counts.reshape(values.shape)


@decomposes(aten.searchsorted.Scalar)
def searchsorted_scalar(ordered, value, **options):
    values = torch.full((), value, dtype=ordered.dtype, device=ordered.device)
    return searchsorted(ordered, values, **options)
