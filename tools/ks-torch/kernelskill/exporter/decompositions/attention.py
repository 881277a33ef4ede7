"""Scaled dot-product attention, kept as one operation.

In the graph it is one node, in the IR a function `attention` with its scale, so that
it can be recognised whatever becomes of its body. The body is what PyTorch's fused
kernels compute: scores, softmax and sums in the wide type, probabilities rounded to
the type of the operands.
"""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import Tensor

from kernelskill.exporter import operators
from kernelskill.exporter.decompositions import decomposes
from kernelskill.exporter.decompositions.statistics import wide
from kernelskill.exporter.replacing import replaces

aten = torch.ops.aten


def _masked(scores: Tensor, mask: Tensor | None, causal: bool) -> Tensor:
    if causal:
        rows = torch.arange(scores.shape[-2], device=scores.device)
        columns = torch.arange(scores.shape[-1], device=scores.device)
        seen = columns <= rows.unsqueeze(-1)
        scores = torch.where(seen, scores, -math.inf)
    if mask is None:
        return scores
    if mask.dtype is torch.bool:
        return torch.where(mask, scores, -math.inf)
    return scores + mask


def _product(a: Tensor, b: Tensor) -> Tensor:
    """a · b of stacks of matrices, in the wide type. The operands are widened last of
    all: ks-normalize then sees a product of narrow ones."""
    batch = torch.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    a, b = (x.expand(*batch, *x.shape[-2:]) for x in (a, b))
    product = torch.bmm(
        wide(a.reshape(-1, *a.shape[-2:])), wide(b.reshape(-1, *b.shape[-2:]))
    )
    return product.reshape(*batch, *product.shape[-2:])


def probabilities(
    q: Tensor, k: Tensor, mask: Tensor | None, scale: float, causal: bool
) -> Tensor:
    """In the wide type. A row of which nothing is seen is zero."""
    scores = _product(q, k.transpose(-1, -2)) * scale
    scores = _masked(scores, mask, causal)
    if mask is None:  # every row sees something
        return torch.softmax(scores, -1)
    highest = scores.amax(-1, keepdim=True)
    powers = torch.exp(scores - torch.where(highest == -math.inf, 0.0, highest))
    total = powers.sum(-1, keepdim=True)
    return powers / torch.where(total == 0, 1.0, total)


def body(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, scale: float, causal: bool
) -> Tensor:
    """What the function `attention` computes. With fewer heads in `k` and `v` than
    in `q`, each serves a group of consecutive ones."""
    k, v = (_repeated(x, q) for x in (k, v))
    weights = probabilities(q, k, mask, scale, causal).to(q.dtype)
    return _product(weights, v).to(q.dtype)


def _repeated(x: Tensor, q: Tensor) -> Tensor:
    if x.dim() < 4 or x.shape[-3] == q.shape[-3] or x.shape[-3] == 1:
        return x
    group = q.shape[-3] // x.shape[-3]
    *batch, heads, length, width = x.shape
    x = x.unsqueeze(-3).expand(*batch, heads, group, length, width)
    return x.reshape(*batch, heads * group, length, width)


def _scale(query: Tensor, scale: float | None) -> float:
    return 1.0 / math.sqrt(query.shape[-1]) if scale is None else scale


@replaces(F.scaled_dot_product_attention, autocast="lower")
def scaled_dot_product_attention(
    query,
    key,
    value,
    attn_mask=None,
    dropout_p=0.0,
    is_causal=False,
    scale=None,
    enable_gqa=False,
):
    if attn_mask is not None and is_causal:
        raise ValueError("attn_mask and is_causal are given both")
    scale = _scale(query, scale)
    batch = torch.broadcast_shapes(
        query.shape[:-3] if enable_gqa else query.shape[:-2],
        key.shape[:-3] if enable_gqa else key.shape[:-2],
    )
    if not enable_gqa:
        query, key, value = (
            x.expand(*batch, *x.shape[-2:]) for x in (query, key, value)
        )
    if dropout_p:
        key, value = (_repeated(x, query) for x in (key, value))
        weights = probabilities(query, key, attn_mask, scale, is_causal)
        weights = F.dropout(weights.to(query.dtype), dropout_p, training=True)
        return _product(weights, value).to(query.dtype)
    return operators.attention(query, key, value, attn_mask, scale, is_causal)


@decomposes(aten._scaled_dot_product_flash_attention_for_cpu.default)
def flash_attention_for_cpu(
    query, key, value, dropout_p=0.0, is_causal=False, *, attn_mask=None, scale=None
):
    """With the logarithms of the sums, from which the backward pass has the
    probabilities again. PyTorch's own decomposition gives the probabilities."""
    if dropout_p:
        return NotImplemented
    scale = _scale(query, scale)
    scores = _product(query, key.transpose(-1, -2)) * scale
    sums = torch.logsumexp(_masked(scores, attn_mask, is_causal), -1)
    result = body(query, key, value, attn_mask, scale, is_causal)
    return result, sums


@decomposes(aten._scaled_dot_product_flash_attention_for_cpu_backward.default)
def flash_attention_for_cpu_backward(
    grad, query, key, value, out, sums, dropout_p, is_causal, *,
    attn_mask=None, scale=None,
):  # fmt: skip
    if dropout_p:
        return NotImplemented
    scale = _scale(query, scale)
    scores = _product(query, key.transpose(-1, -2)) * scale
    weights = torch.exp(_masked(scores, attn_mask, is_causal) - sums.unsqueeze(-1))
    of_weights = _product(grad, value.transpose(-1, -2))
    shared = (wide(grad) * wide(out)).sum(-1, keepdim=True)
    of_scores = weights * (of_weights - shared) * scale
    # As the fused kernels do, what is multiplied again is rounded.
    weights, of_scores = weights.to(query.dtype), of_scores.to(query.dtype)
    return (
        _product(of_scores, key).to(query.dtype),
        _product(of_scores.transpose(-1, -2), query).to(key.dtype),
        _product(weights.transpose(-1, -2), grad).to(value.dtype),
    )
