"""Pooling of images without a batch dimension, which torch-mlir takes for one with."""

from __future__ import annotations

from typing import Any

import torch
import torch.utils._pytree as pytree
from torch import Tensor

from kernelskill.exporter.decompositions import decomposes

aten = torch.ops.aten

_OPERATIONS = {
    aten.avg_pool2d.default: 2,
    aten.avg_pool3d.default: 3,
    aten.max_pool2d_with_indices.default: 2,
    aten.max_pool3d_with_indices.default: 3,
    aten._adaptive_avg_pool2d.default: 2,
    aten._adaptive_avg_pool3d.default: 3,
    aten.adaptive_max_pool2d.default: 2,
    aten.adaptive_max_pool3d.default: 3,
}


def _batched(operation: Any, rank: int) -> None:
    @decomposes(operation)
    def pool(x: Tensor, *args: Any, **kwargs: Any) -> Any:
        if x.dim() != rank + 1:
            return NotImplemented
        result = operation(x.unsqueeze(0), *args, **kwargs)
        return pytree.tree_map(lambda y: y.squeeze(0), result)


for _operation, _rank in _OPERATIONS.items():
    _batched(_operation, _rank)
