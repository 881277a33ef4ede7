"""Derivatives that torch-mlir lowers not at all, or to sizes that nobody can tell:
those of convolutions and of pooling by means.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from kernelskill.exporter.decompositions import decomposes
from kernelskill.exporter.decompositions.statistics import wide

aten = torch.ops.aten


def _each(values: Sequence[int], rank: int) -> list[int]:
    """One value for each dimension of the image."""
    return list(values) * rank if len(values) == 1 else list(values)


def _grouped(x: Tensor, groups: int) -> Tensor:
    """(batch, groups · channels, …) as (channels, groups · batch, …)."""
    batch, channels, *image = x.shape
    x = x.reshape([batch, groups, channels // groups, *image])
    x = x.movedim(2, 0).movedim(1, 2)  # channels, groups, batch, …
    return x.reshape([channels // groups, groups * batch, *image])


def _weight_gradient(
    grad: Tensor,
    x: Tensor,
    weight: Tensor,
    stride: Sequence[int],
    padding: Sequence[int],
    dilation: Sequence[int],
    groups: int,
) -> Tensor:
    """A convolution of the image with the gradient, in which strides and dilations
    change places and images and channels do."""
    batch, channels, *image = grad.shape
    kernel = _grouped(grad, groups)  # channels, groups · batch, …
    kernel = kernel.reshape([channels // groups, groups, batch, *image])
    kernel = kernel.movedim(1, 0).reshape([channels, batch, *image])
    zeros = [0] * len(image)
    result = torch.convolution(
        _grouped(x, groups),
        kernel,
        None,
        dilation,  # as strides
        padding,
        stride,  # as dilations
        False,
        zeros,
        groups,
    )
    for dim, size in enumerate(weight.shape[2:], 2):  # what strides left over
        result = result.narrow(dim, 0, size)
    return result.transpose(0, 1)


@decomposes(aten.convolution_backward.default)
def convolution_backward(
    grad, x, weight, bias_sizes, stride, padding, dilation, transposed,
    output_padding, groups, output_mask,
):  # fmt: skip
    rank = x.dim() - 2
    stride, padding, dilation = (_each(v, rank) for v in (stride, padding, dilation))
    of_x = of_weight = of_bias = None
    if output_mask[0]:
        lost = [
            size - ((out - 1) * s - 2 * p + d * (k - 1) + 1)
            for size, out, s, p, d, k in zip(
                x.shape[2:], grad.shape[2:], stride, padding, dilation, weight.shape[2:]
            )
        ]
        of_x = torch.convolution(
            grad,
            weight,
            None,
            stride,
            padding,
            dilation,
            not transposed,
            [0] * rank if transposed else lost,
            groups,
        )
    if output_mask[1]:
        pair = (x, grad) if transposed else (grad, x)
        of_weight = _weight_gradient(*pair, weight, stride, padding, dilation, groups)
    if output_mask[2]:
        of_bias = wide(grad).sum([0, *range(2, grad.dim())]).to(grad.dtype)
    return of_x, of_weight, of_bias


def _avg_pool_backward(
    grad: Tensor,
    x: Tensor,
    kernel: Sequence[int],
    stride: Sequence[int],
    padding: Sequence[int],
    count_padding: bool,
    divisor: int | None,
    rank: int,
) -> Tensor:
    """Each element of the gradient, divided, goes to its whole window."""
    kernel, padding = _each(kernel, rank), _each(padding, rank)
    stride = _each(stride, rank) if stride else kernel
    image = x.shape[-rank:]
    ahead = x.shape[: x.dim() - rank]
    ones = torch.ones([1, 1, *kernel], dtype=torch.float32, device=x.device)
    nothing, once = [0] * rank, [1] * rank
    if divisor:
        share = wide(grad) / divisor
    else:
        # How many elements each window holds; windows may end past the padding.
        shown = torch.ones([1, 1, *image], dtype=torch.float32, device=x.device)
        value = 1.0 if count_padding else 0.0
        border = [p for size in reversed(padding) for p in (size, size)]
        shown = aten.constant_pad_nd.default(shown, border, value)
        past = [
            max((out - 1) * s + k - (size + 2 * p), 0)
            for out, s, k, size, p in zip(
                grad.shape[-rank:], stride, kernel, image, padding
            )
        ]
        border = [p for size in reversed(past) for p in (0, size)]
        shown = aten.constant_pad_nd.default(shown, border, 0.0)
        count = torch.convolution(
            shown, ones, None, stride, nothing, once, False, nothing, 1
        )
        share = wide(grad) / count.reshape(grad.shape[-rank:])
    flat = share.reshape([-1, 1, *grad.shape[-rank:]])
    spread = torch.convolution(
        flat, ones.to(flat.dtype), None, stride, nothing, once, True, nothing, 1
    )
    border = [
        p
        for size, full, pad in zip(
            reversed(image), reversed(spread.shape), reversed(padding)
        )
        for p in (-pad, size + pad - full)
    ]
    spread = aten.constant_pad_nd.default(spread, border, 0.0)
    return spread.reshape([*ahead, *image]).to(x.dtype)


@decomposes(aten.avg_pool2d_backward.default)
def avg_pool2d_backward(
    grad, x, kernel, stride, padding, ceil_mode, count_padding, divisor
):
    return _avg_pool_backward(
        grad, x, kernel, stride, padding, count_padding, divisor, 2
    )


@decomposes(aten.avg_pool3d_backward.default)
def avg_pool3d_backward(
    grad, x, kernel, stride, padding, ceil_mode, count_padding, divisor
):
    return _avg_pool_backward(
        grad, x, kernel, stride, padding, count_padding, divisor, 3
    )
