"""Products of matrices with a bias.

The product and the bias meet in the type that PyTorch accumulates in and are rounded
once, as cuBLAS does: for half-precision types that is a float32 product of extended
operands, which ks-normalize turns into one that reads the narrow operands.
"""

from __future__ import annotations

import torch
from torch import Tensor

from kernelskill.exporter.decompositions import decomposes
from kernelskill.exporter.decompositions.statistics import wide

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
