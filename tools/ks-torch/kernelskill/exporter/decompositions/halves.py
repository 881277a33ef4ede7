"""Half-precision operations computed as PyTorch's kernels compute them: in float32,
rounded once. torch-mlir rounds after each step of an operation, and sums in the narrow
type, which loses digits and overflows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
import torch.utils._pytree as pytree

from kernelskill.exporter.decompositions.statistics import wide

aten = torch.ops.aten

_HALVES = (torch.float16, torch.bfloat16)

# Sums and what else takes several steps.
_PACKETS = (
    *(aten.sum, aten.mean, aten.prod, aten.cumsum, aten.cumprod, aten.nansum),
    *(aten.linalg_vector_norm, aten.norm, aten.dist, aten.logsumexp),
    *(aten._softmax, aten._log_softmax, aten.logcumsumexp),
    *(aten.avg_pool1d, aten.avg_pool2d, aten.avg_pool3d, aten._adaptive_avg_pool2d),
    *(aten._adaptive_avg_pool3d, aten.upsample_linear1d, aten.upsample_bilinear2d),
    *(aten.upsample_trilinear3d, aten.upsample_bicubic2d, aten.grid_sampler_2d),
    *(aten.sigmoid, aten.silu, aten.gelu, aten.softplus, aten.elu, aten.mish),
    *(aten.hardswish, aten.hardsigmoid, aten.log_sigmoid_forward, aten.leaky_relu),
    *(aten.glu, aten.pow, aten.logaddexp, aten.logaddexp2, aten.logit, aten.lerp),
    *(aten.addcmul, aten.addcdiv, aten.addr, aten._cdist_forward, aten.trace),
    *(aten.mse_loss, aten.smooth_l1_loss, aten.huber_loss, aten.nll_loss_forward),
    *(aten.binary_cross_entropy, aten.soft_margin_loss, aten.xlogy, aten.sinc),
    *(aten._embedding_bag, aten._embedding_bag_forward_only),
)

# Those of one step, where the other operand is a number that a half cannot hold.
_WITH_NUMBER = (aten.add, aten.sub, aten.mul, aten.div, aten.rsub)


def _floats(args: Any) -> list[torch.Tensor]:
    leaves = pytree.tree_leaves(args)
    return [x for x in leaves if isinstance(x, torch.Tensor) and x.is_floating_point()]


def _narrow(args: Any) -> torch.dtype | None:
    """The half-precision type of all floats among `args`."""
    kinds = {x.dtype for x in _floats(args)}
    return kinds.pop() if len(kinds) == 1 and kinds <= set(_HALVES) else None


def _inexact(args: Any, dtype: torch.dtype) -> bool:
    """Whether a number among `args` changes when it is rounded to `dtype`."""
    numbers = [x for x in pytree.tree_leaves(args) if isinstance(x, float)]
    for number in numbers:
        rounded = torch.finfo(dtype)
        if abs(number) > rounded.max or number != _rounded(number, dtype):
            return True
    return False


def _rounded(number: float, dtype: torch.dtype) -> float:
    """To nearest, even: the significand keeps as many bits as the type has."""
    import math

    if number == 0 or not math.isfinite(number):
        return number
    info = torch.finfo(dtype)
    _, exponent = math.frexp(number)
    lowest = math.frexp(info.tiny)[1]
    digits = math.frexp(info.eps)[1]  # eps is 2 ** (digits - 1)
    unit = 2.0 ** (max(exponent, lowest) - 1 + digits - 1)
    return round(number / unit) * unit


def _widened(
    operation: Any, base: Callable[..., Any] | None, needed: Callable[..., bool]
) -> Callable[..., Any]:
    def decomposition(*args: Any, **kwargs: Any) -> Any:
        narrow = _narrow((args, kwargs))
        given = kwargs.get("dtype")
        if narrow is None or given not in (None, narrow) or not needed(args, kwargs):
            return NotImplemented if base is None else base(*args, **kwargs)
        kwargs = {k: v for k, v in kwargs.items() if k != "dtype"}
        args, kwargs = pytree.tree_map(_wide, (args, kwargs))
        result = operation(*args, **kwargs)

        def round_(x: Any) -> Any:
            return x.to(narrow) if x.dtype is torch.float32 else x

        return pytree.tree_map_only(torch.Tensor, round_, result)

    return decomposition


def _wide(x: Any) -> Any:
    return wide(x) if isinstance(x, torch.Tensor) else x


def widen(table: dict[Any, Callable[..., Any]]) -> dict[Any, Callable[..., Any]]:
    """Entries over those of `table`."""

    def always(args: Any, kwargs: Any) -> bool:
        return True

    def rounds(args: Any, kwargs: Any) -> bool:
        kind = _narrow((args, kwargs))
        return kind is not None and _inexact((args, kwargs), kind)

    entries = {}
    for packets, needed in ((_PACKETS, always), (_WITH_NUMBER, rounds)):
        for packet in packets:
            for name in packet.overloads():
                operation = getattr(packet, name)
                returns = operation._schema.returns
                if name.endswith("out") or any(r.alias_info for r in returns):
                    continue
                base = table.get(operation)
                entries[operation] = _widened(operation, base, needed)
    return entries
