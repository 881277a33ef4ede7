"""Tensors that a graph holds, and how the small ones are written into the IR."""

from __future__ import annotations

import torch
from torch_mlir import ir
from torch_mlir.extras import fx_importer

# Up to so many elements a constant stands in the text; a larger one is an argument.
INLINE = 1024


def _element(value: object, dtype: torch.dtype) -> str:
    if dtype is torch.bool:
        return "true" if value else "false"
    if dtype.is_floating_point:
        return f"0x{value:0{dtype.itemsize * 2}X}"
    return str(value)


def _nested(values: object, dtype: torch.dtype) -> str:
    if isinstance(values, list):
        return f"[{', '.join(_nested(v, dtype) for v in values)}]"
    return _element(values, dtype)


_BITS = {1: torch.uint8, 2: torch.uint16, 4: torch.uint32, 8: torch.uint64}


def dense(tensor: torch.Tensor) -> ir.Attribute:
    """The elements as an attribute; floats by their bits. Wants a current context."""
    tensor = tensor.detach().cpu().contiguous()
    element = fx_importer.TORCH_DTYPE_TO_MLIR_TYPE[tensor.dtype]()
    shape = "x".join([*map(str, tensor.shape), str(element)])
    if tensor.numel() == 0:
        return ir.Attribute.parse(f"dense<> : tensor<{shape}>")
    if tensor.is_complex():
        pairs = torch.view_as_real(tensor)
        width = _BITS[pairs.dtype.itemsize]
        text = _complex(pairs.view(width).tolist(), tensor.dim(), pairs.dtype)
    elif tensor.is_floating_point():
        text = _nested(tensor.view(_BITS[tensor.dtype.itemsize]).tolist(), tensor.dtype)
    else:
        text = _nested(tensor.tolist(), tensor.dtype)
    return ir.Attribute.parse(f"dense<{text}> : tensor<{shape}>")


def _complex(values: list, depth: int, dtype: torch.dtype) -> str:
    if depth:
        return f"[{', '.join(_complex(v, depth - 1, dtype) for v in values)}]"
    return f"({_element(values[0], dtype)}, {_element(values[1], dtype)})"
