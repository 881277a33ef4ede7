"""Products of matrices with a bias.

The product and the bias meet in the type that PyTorch accumulates in and are rounded
once, as cuBLAS does: for half-precision types that is a float32 product of extended
operands, which ks-normalize turns into one that reads the narrow operands.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

from kernelskill.exporter.decompositions import decomposes
from kernelskill.exporter.decompositions.statistics import wide
from kernelskill.exporter.replacing import replaces

aten = torch.ops.aten


def _scaled(x: Tensor, factor: float) -> Tensor:
    return x if factor == 1 else x * factor


def _plus(bias, product, beta, alpha, dtype):
    product = _scaled(product, alpha)
    if beta == 0:  # what the bias holds does not count, NaN included
        return product.to(dtype)
    return (product + _scaled(wide(bias), beta)).to(dtype)


@decomposes(aten.addmm.default)
def addmm(bias, a, b, *, beta=1, alpha=1):
    return _plus(bias, torch.mm(wide(a), wide(b)), beta, alpha, a.dtype)


@decomposes(aten.addmv.default)
def addmv(bias, a, b, *, beta=1, alpha=1):
    return _plus(bias, torch.mv(wide(a), wide(b)), beta, alpha, a.dtype)


@decomposes(aten.baddbmm.default)
def baddbmm(bias, a, b, *, beta=1, alpha=1):
    return _plus(bias, torch.bmm(wide(a), wide(b)), beta, alpha, a.dtype)


@replaces(F.linear)
def linear(input, weight, bias=None):
    """One product of matrices, whatever the operand's strides: PyTorch makes a batch
    of products of what is not contiguous."""
    if weight.dim() != 2 or input.dim() == 0:
        return torch._C._nn.linear(input, weight, bias)
    flat = input.reshape(-1, input.shape[-1])
    if bias is None:
        product = torch.mm(flat, weight.t())
    else:
        product = torch.addmm(bias, flat, weight.t())
    return product.reshape([*input.shape[:-1], weight.shape[0]])


@replaces(torch.matmul, Tensor.matmul, Tensor.__matmul__)
def matmul(input, other):
    """The same, for a stack of matrices and one matrix."""
    if other.dim() != 2 or input.dim() < 3:
        return torch.matmul(input, other)
    flat = input.reshape(-1, input.shape[-1])
    return torch.mm(flat, other).reshape([*input.shape[:-1], other.shape[-1]])
