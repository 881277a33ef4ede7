"""Writing to elements that a mask chooses."""

from __future__ import annotations

import torch
from torch import Tensor

from kernelskill.exporter.decompositions import decomposes

aten = torch.ops.aten


def _put_where(
    x: Tensor, indices: list[Tensor | None], values: Tensor, accumulate: bool
) -> Tensor:
    """x[..., mask, ...] = values as a choice for each element. Where the mask is true
    is data, and so is how often: positions cannot be used."""
    given = [(i, index) for i, index in enumerate(indices) if index is not None]
    if len(given) != 1 or given[0][1].dtype is not torch.bool:
        return NotImplemented
    first, mask = given[0]
    behind = x.dim() - first - mask.dim()
    along = values.dim() - behind - 1  # the dimension of what is true, if it is there
    if along >= 0:
        ahead, rest = values.shape[:along], values.shape[along + 1 :]
        if values.shape[along] == 1:
            values = values.reshape([*ahead, *[1] * mask.dim(), *rest])
        else:  # one entry for each true element, in order
            order = (mask.flatten().cumsum(0) - 1).clamp(0, values.shape[along] - 1)
            values = values.index_select(along, order)
            values = values.reshape([*ahead, *mask.shape, *rest])
    chosen = mask.reshape([*mask.shape, *[1] * behind])
    new = x + values if accumulate else values.to(x.dtype)
    return torch.where(chosen, new, x)


@decomposes(aten.index_put.default, aten._unsafe_index_put.default)
def index_put(x, indices, values, accumulate=False):
    return _put_where(x, indices, values, accumulate)
