"""The fused forms that torch.nn's transformer modules take in evaluation mode."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

from kernelskill.errors import ExportError
from kernelskill.exporter.decompositions import decomposes
from kernelskill.exporter.decompositions.attention import scaled_dot_product_attention

aten = torch.ops.aten


def _seen(mask: Tensor | None, kind: int | None) -> Tensor | None:
    """The mask as scaled_dot_product_attention has it: true, or added, where a key is
    seen. `kind` is 0 for [query, key], 1 for [batch, key], 2 for all dimensions."""
    if mask is None:
        return None
    if mask.dtype is torch.bool:
        mask = mask.logical_not()
    if kind == 1:
        return mask[:, None, None, :]
    return mask


def _heads(x: Tensor, heads: int) -> Tensor:
    batch, length, width = x.shape
    return x.reshape(batch, length, heads, width // heads).transpose(1, 2)


@decomposes(aten._transformer_encoder_layer_fwd.default)
def encoder_layer(
    src, embed_dim, num_heads, qkv_weight, qkv_bias, proj_weight, proj_bias, use_gelu,
    norm_first, eps, norm_weight_1, norm_bias_1, norm_weight_2, norm_bias_2,
    ffn_weight_1, ffn_bias_1, ffn_weight_2, ffn_bias_2, mask=None, mask_type=None,
):  # fmt: skip
    if src.dim() != 3:
        raise ExportError("a transformer layer without a batch dimension")

    def norm(x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
        return F.layer_norm(x, (embed_dim,), weight, bias, eps)

    def attend(x: Tensor) -> Tensor:
        parts = F.linear(x, qkv_weight, qkv_bias).chunk(3, -1)
        q, k, v = (_heads(part, num_heads) for part in parts)
        out = scaled_dot_product_attention(q, k, v, _seen(mask, mask_type))
        return F.linear(out.transpose(1, 2).reshape(x.shape), proj_weight, proj_bias)

    def feed_forward(x: Tensor) -> Tensor:
        hidden = F.linear(x, ffn_weight_1, ffn_bias_1)
        hidden = F.gelu(hidden) if use_gelu else F.relu(hidden)
        return F.linear(hidden, ffn_weight_2, ffn_bias_2)

    if norm_first:
        x = src + attend(norm(src, norm_weight_1, norm_bias_1))
        return x + feed_forward(norm(x, norm_weight_2, norm_bias_2))
    x = norm(src + attend(src), norm_weight_1, norm_bias_1)
    return norm(x + feed_forward(x), norm_weight_2, norm_bias_2)
