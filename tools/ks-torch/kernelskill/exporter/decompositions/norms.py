"""Normalisations: group, layer, batch and instance norm.

All in the type that PyTorch computes in, without constant blobs (torch-mlir's group
norm needs index tables as large as the tensor) and without float64. Batch norm in
training mode gives its running statistics new values in place, which makes them
results of the exported function.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
import torch.nn.functional as F
from torch import Tensor

from kernelskill.exporter.decompositions import decomposes
from kernelskill.exporter.decompositions.statistics import centred, wide
from kernelskill.exporter.replacing import replaces

aten = torch.ops.aten


def _channels(x: Tensor, values: Tensor) -> Tensor:
    """One value a channel, in a shape that broadcasts over `x`."""
    return wide(values).reshape([1, values.shape[0]] + [1] * (x.dim() - 2))


def _scaled(x: Tensor, y: Tensor, weight: Tensor | None, bias: Tensor | None) -> Tensor:
    """`y`, normalised and wide, with weight and bias a channel, in x's type."""
    if weight is not None:
        y = y * _channels(x, weight)
    if bias is not None:
        y = y + _channels(x, bias)
    return y.to(x.dtype)


@decomposes(aten.native_group_norm.default)
def group_norm(x, weight, bias, n, c, inner, groups, eps):
    # The groups' channels stay a dimension of their own: no element changes place.
    rows = wide(x).reshape([n, groups, c // groups, inner])
    mean, difference, variance = centred(rows, [2, 3])
    rstd = torch.rsqrt(variance + eps)
    y = (difference * rstd).reshape(x.shape)
    statistics = (s.reshape(n, groups).to(x.dtype) for s in (mean, rstd))
    return (_scaled(x, y, weight, bias), *statistics)


@decomposes(aten.native_layer_norm.default)
def layer_norm(x, shape, weight, bias, eps):
    dims = list(range(x.dim() - len(shape), x.dim()))
    mean, difference, variance = centred(wide(x), dims)
    rstd = torch.rsqrt(variance + eps)
    y = difference * rstd
    if weight is not None:
        y = y * wide(weight)
    if bias is not None:
        y = y + wide(bias)
    kept = mean.dtype if x.device.type == "cuda" else x.dtype
    return y.to(x.dtype), mean.to(kept), rstd.to(kept)


def _mixed(statistic: Tensor, value: Tensor, momentum: float) -> Tensor:
    value = value.reshape(statistic.shape)
    mixed = wide(statistic) * (1 - momentum) + value * momentum
    return mixed.to(statistic.dtype)


def _running(statistic: Tensor | None, value: Tensor, momentum: float) -> None:
    if statistic is not None:
        statistic.copy_(_mixed(statistic, value, momentum))


def _count(x: Tensor, dims: Sequence[int]) -> int:
    count = 1
    for dim in dims:
        count *= x.shape[dim]
    return count


def _batch_norm(x, mean, var, weight, bias, training, momentum, eps):
    dims = [0, *range(2, x.dim())]
    if training or mean is None:
        centre, difference, variance = centred(wide(x), dims)
        count = _count(x, dims)
        if count == 1:
            raise ValueError(
                "Expected more than 1 value per channel when training, got input size "
                f"{x.size()}"
            )
        if training:
            _running(mean, centre, momentum)
            _running(var, variance * (count / (count - 1)), momentum)
        y = difference * torch.rsqrt(variance + eps)
        return _scaled(x, y, weight, bias)
    scale = torch.rsqrt(wide(var) + eps)
    if weight is not None:
        scale = scale * wide(weight)
    y = (wide(x) - _channels(x, mean)) * _channels(x, scale)
    return _scaled(x, y, None, bias)


@replaces(F.batch_norm, autocast="off")
def batch_norm(
    input,
    running_mean,
    running_var,
    weight=None,
    bias=None,
    training=False,
    momentum=0.1,
    eps=1e-5,
):
    return _batch_norm(
        input, running_mean, running_var, weight, bias, training, momentum, eps
    )


@replaces(torch.batch_norm, autocast="off")
def torch_batch_norm(
    input, weight, bias, running_mean, running_var, training, momentum, eps, cudnn
):
    return _batch_norm(
        input, running_mean, running_var, weight, bias, training, momentum, eps
    )


@replaces(F.instance_norm, autocast="off")
def instance_norm(
    input,
    running_mean=None,
    running_var=None,
    weight=None,
    bias=None,
    use_input_stats=True,
    momentum=0.1,
    eps=1e-5,
):
    if not use_input_stats:
        return _batch_norm(
            input, running_mean, running_var, weight, bias, False, momentum, eps
        )
    dims = list(range(2, input.dim()))
    count = _count(input, dims)
    if count == 1:
        raise ValueError(
            "Expected more than 1 spatial element when training, got input size "
            f"{input.size()}"
        )
    centre, difference, variance = centred(wide(input), dims)
    if running_mean is not None:
        _running(running_mean, centre.mean(0), momentum)
        _running(running_var, variance.mean(0) * (count / (count - 1)), momentum)
    y = difference * torch.rsqrt(variance + eps)
    return _scaled(input, y, weight, bias)


def _decomposed_batch_norm(x, weight, bias, mean, var, eps):
    y = _batch_norm(x, mean, var, weight, bias, False, 0.0, eps)
    nothing = x.new_empty((0,))
    return y, nothing, nothing


@decomposes(aten._native_batch_norm_legit_no_training.default)
def batch_norm_no_training(x, weight, bias, mean, var, momentum, eps):
    return _decomposed_batch_norm(x, weight, bias, mean, var, eps)


@decomposes(aten._native_batch_norm_legit_functional.default)
def batch_norm_functional(x, weight, bias, mean, var, training, momentum, eps):
    """As autograd's graphs have it: statistics are results."""
    if not training:
        return (*_decomposed_batch_norm(x, weight, bias, mean, var, eps), mean, var)
    dims = [0, *range(2, x.dim())]
    centre, difference, variance = centred(wide(x), dims)
    rstd = torch.rsqrt(variance + eps)
    count = _count(x, dims)
    unbiased = variance * (count / max(count - 1, 1))
    y = _scaled(x, difference * rstd, weight, bias)
    running = _mixed(mean, centre, momentum), _mixed(var, unbiased, momentum)
    return y, centre.reshape(-1), rstd.reshape(-1), *running
