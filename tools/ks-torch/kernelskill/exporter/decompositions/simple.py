"""Operations that torch-mlir lowers in a roundabout way, not at all, or wrongly."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

from kernelskill.exporter.decompositions import decomposes
from kernelskill.exporter.replacing import replaces

aten = torch.ops.aten


@decomposes(aten.pow.Tensor_Scalar)
def power(x, exponent):
    """The exponents that PyTorch itself computes by multiplication and roots; powers
    of integers, which torch-mlir lacks."""
    if not x.is_floating_point():
        whole = isinstance(exponent, int) and not x.is_complex()
        return _whole_power(x, exponent) if whole else NotImplemented
    if exponent == 2:
        return x * x
    if exponent == 3:
        return x * x * x
    if exponent == 0.5:
        return x.sqrt()
    if exponent == -0.5:
        return x.rsqrt()
    if exponent == -1:
        return x.reciprocal()
    return NotImplemented


def _whole_power(x: Tensor, exponent: int) -> Tensor:
    """By squaring."""
    if exponent == 0:
        return torch.ones_like(x)
    result = None
    while True:
        if exponent & 1:
            result = x if result is None else result * x
        exponent >>= 1
        if not exponent:
            return result
        x = x * x


@decomposes(aten.gelu.default)
def gelu(x, *, approximate="none"):
    """torch-mlir's form with tanh has constants that are too short."""
    if approximate == "tanh":
        inner = math.sqrt(2 / math.pi) * (x + 0.044715 * (x * x * x))
        return 0.5 * x * (1 + torch.tanh(inner))
    return 0.5 * x * (1 + torch.erf(x * math.sqrt(0.5)))


@decomposes(aten.constant_pad_nd.default)
def constant_pad_nd(x, pad, value=0):
    """Padding by less than nothing cuts: torch-mlir takes it for padding."""
    if all(not isinstance(p, int) or p >= 0 for p in pad):
        return NotImplemented
    for i in range(len(pad) // 2):
        dim = x.dim() - 1 - i
        before, after = (max(-p, 0) for p in pad[2 * i : 2 * i + 2])
        if before or after:
            x = x.narrow(dim, before, x.shape[dim] - before - after)
    kept = [max(p, 0) for p in pad]
    return aten.constant_pad_nd.default(x, kept, value) if any(kept) else x.clone()


@replaces(Tensor.view)
def view(x, *shape):
    """Eager mode lays some results out so that a view of them is there; in a trace
    they may lie otherwise."""
    try:
        return Tensor.view(x, *shape)
    except (RuntimeError, ValueError):
        if not all(isinstance(s, (int, torch.SymInt, tuple, list)) for s in shape):
            raise
        return x.reshape(*shape)


@decomposes(aten.empty_strided.default)
def empty_strided(
    size, stride, *, dtype=None, layout=None, device=None, pin_memory=None
):
    """Values have no strides."""
    return torch.empty(size, dtype=dtype, device=device)


@decomposes(aten.linalg_vector_norm.default)
def vector_norm(x, ord=2, dim=None, keepdim=False, *, dtype=None):
    """Without powers where there are none."""
    if x.is_complex():
        return NotImplemented
    x = x if dtype is None else x.to(dtype)
    dims = list(range(x.dim())) if dim is None else dim
    if ord == 2:
        return (x * x).sum(dims, keepdim=keepdim).sqrt()
    if ord == 1:
        return x.abs().sum(dims, keepdim=keepdim)
    if ord == 0:
        return (x != 0).to(x.dtype).sum(dims, keepdim=keepdim)
    if ord == math.inf:
        return x.abs().amax(dims, keepdim=keepdim)
    if ord == -math.inf:
        return x.abs().amin(dims, keepdim=keepdim)
    return (x.abs() ** ord).sum(dims, keepdim=keepdim) ** (1 / ord)


@decomposes(aten._cdist_forward.default)
def cdist(x, y, p, mode):
    difference = x.unsqueeze(-2) - y.unsqueeze(-3)
    return torch.linalg.vector_norm(difference, p, -1)


@decomposes(aten.abs.default)
def absolute(x):
    """torch-mlir gives complex numbers to math.absf."""
    if not x.is_complex():
        return NotImplemented
    return hypot(x.real, x.imag)


@decomposes(aten.hypot.default)
def hypot(x, y):
    """Scaled, so that squares do not overflow."""
    x, y = x.abs(), y.abs()
    large, small = torch.maximum(x, y), torch.minimum(x, y)
    ratio = small / torch.where(large == 0, 1, large)
    length = large * torch.sqrt(1 + ratio * ratio)
    return torch.where(torch.isinf(x) | torch.isinf(y), math.inf, length)


def _with_scalar(scalar: Any, tensor: Any) -> None:
    """An operation with a number, as that with a tensor, which torch-mlir has."""

    @decomposes(scalar)
    def operation(x, other):
        held = x if isinstance(x, Tensor) else other
        dtype = torch.result_type(x, other)
        full = [
            value.to(dtype)
            if isinstance(value, Tensor)
            else torch.full((), value, dtype=dtype, device=held.device)
            for value in (x, other)
        ]
        return tensor(*full)


for _name in ("and", "or", "xor"):
    _packet = getattr(aten, f"bitwise_{_name}")
    _with_scalar(_packet.Scalar, _packet.Tensor)
    _with_scalar(_packet.Scalar_Tensor, _packet.Tensor)
for _packet in (aten.bitwise_left_shift, aten.bitwise_right_shift):
    _with_scalar(_packet.Tensor_Scalar, _packet.Tensor)
    _with_scalar(_packet.Scalar_Tensor, _packet.Tensor)
_with_scalar(aten.fmod.Scalar, aten.fmod.Tensor)
