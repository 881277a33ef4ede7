"""Small operations that torch-mlir lowers in a roundabout way."""

from __future__ import annotations

import torch

from kernelskill.exporter.decompositions import decomposes

aten = torch.ops.aten


@decomposes(aten.pow.Tensor_Scalar)
def power(x, exponent):
    """The exponents that PyTorch itself computes by multiplication and roots."""
    if not x.is_floating_point():
        return NotImplemented
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
