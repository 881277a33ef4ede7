"""Operators that exist in traced graphs only, until the importer takes them.

`attention` stays whole because it becomes a function of its own; `random` is a draw
of random numbers, which becomes an argument of the program: its `law` is JSON that
`kernelskill.random_laws` draws from.
"""

from __future__ import annotations

import torch

_library = torch.library.Library("kernelskill_export", "DEF")
_library.define(
    "attention(Tensor q, Tensor k, Tensor v, Tensor? mask, float scale, bool causal)"
    " -> Tensor"
)
_library.define(
    "random(SymInt[] size, ScalarType dtype, Device device, str law) -> Tensor",
    tags=(torch.Tag.nondeterministic_seeded,),
)


@torch.library.register_fake("kernelskill_export::attention", lib=_library)
def _attention(q, k, v, mask, scale, causal):
    batch = list(q.shape[:-2])
    if mask is not None:
        batch = list(torch.broadcast_shapes(batch, mask.shape[:-2]))
    return q.new_empty([*batch, q.shape[-2], v.shape[-1]])


@torch.library.register_fake("kernelskill_export::random", lib=_library)
def _random(size, dtype, device, law):
    return torch.empty(size, dtype=dtype, device=device)


attention = torch.ops.kernelskill_export.attention.default
random = torch.ops.kernelskill_export.random.default
