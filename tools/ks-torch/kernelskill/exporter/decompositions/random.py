"""Random numbers: never drawn while a model is exported, and never a baked seed.

Each draw becomes an argument of the program, in the order in which PyTorch draws, and
its law is recorded for the caller. Laws with parameters are computed from standard
ones.
"""

from __future__ import annotations

import json
from typing import Any

import torch
from torch import Tensor

from kernelskill.errors import ExportError
from kernelskill.exporter import operators
from kernelskill.exporter.decompositions import decomposes

aten = torch.ops.aten


def _draw(size: Any, dtype: Any, device: Any, law: str, **parameters: Any) -> Tensor:
    dtype = dtype or torch.get_default_dtype()
    text = json.dumps({"law": law, **parameters}, sort_keys=True)
    return operators.random(list(size), dtype, torch.device(device or "cpu"), text)


def _like(x: Tensor, law: str, dtype: Any = None, **parameters: Any) -> Tensor:
    """Drawn in the order in which a tensor like `x` lies in memory."""
    like = torch.empty_like(x)
    static = all(isinstance(n, int) for n in (*like.shape, *like.stride()))
    if static and not like.is_contiguous():
        parameters["strides"] = list(like.stride())
    return _draw(x.shape, dtype or x.dtype, x.device, law, **parameters)


def _name(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")


def _no_generator(generator: Any) -> None:
    if generator is not None:
        raise ExportError("random numbers from a generator of one's own")


@decomposes(aten.rand.default)
def rand(size, *, dtype=None, layout=None, device=None, pin_memory=None):
    return _draw(size, dtype, device, "rand")


@decomposes(aten.randn.default)
def randn(size, *, dtype=None, layout=None, device=None, pin_memory=None):
    return _draw(size, dtype, device, "randn")


@decomposes(aten.rand.generator, aten.randn.generator, aten.randint.generator)
def with_generator(*args, generator=None, **options):
    _no_generator(True)


@decomposes(aten.randint.default)
def randint(
    high, size, *, dtype=torch.int64, layout=None, device=None, pin_memory=None
):
    return _draw(size, dtype or torch.int64, device, "randint", low=0, high=int(high))


@decomposes(aten.randint.low)
def randint_low(
    low, high, size, *, dtype=torch.int64, layout=None, device=None, pin_memory=None
):
    low, high = int(low), int(high)
    return _draw(size, dtype or torch.int64, device, "randint", low=low, high=high)


@decomposes(aten.randperm.default)
def randperm(n, *, dtype=torch.int64, layout=None, device=None, pin_memory=None):
    return _draw([n], dtype or torch.int64, device, "randperm")


@decomposes(aten.rand_like.default)
def rand_like(x, *, dtype=None, **options):
    return _like(x, "rand", dtype)


@decomposes(aten.randn_like.default)
def randn_like(x, *, dtype=None, **options):
    return _like(x, "randn", dtype)


@decomposes(aten.randint_like.default)
def randint_like(x, high, *, dtype=None, **options):
    return _like(x, "randint", dtype, low=0, high=int(high))


@decomposes(aten.randint_like.low_dtype)
def randint_like_low(x, low, high, *, dtype=None, **options):
    return _like(x, "randint", dtype, low=int(low), high=int(high))


@decomposes(aten.bernoulli.p)
def bernoulli_p(x, p=0.5, *, generator=None):
    _no_generator(generator)
    return _like(x, "bernoulli", p=float(p))


@decomposes(aten.bernoulli.default)
def bernoulli(x, *, generator=None):
    """With a probability for each element."""
    _no_generator(generator)
    return (_like(x, "rand") < x).to(x.dtype)


@decomposes(aten.bernoulli.Tensor)
def bernoulli_tensor(x, p, *, generator=None):
    _no_generator(generator)
    return (_draw(x.shape, p.dtype, x.device, "rand") < p).to(x.dtype)


@decomposes(aten.uniform.default)
def uniform(x, low=0.0, high=1.0, *, generator=None):
    _no_generator(generator)
    return _like(x, "rand") * (high - low) + low


@decomposes(aten.normal_functional.default)
def normal_functional(x, mean=0.0, std=1.0, *, generator=None):
    _no_generator(generator)
    return _like(x, "randn") * std + mean


@decomposes(aten.normal.Tensor_float)
def normal_tensor_float(mean, std=1.0, *, generator=None):
    _no_generator(generator)
    return _like(mean, "randn") * std + mean


@decomposes(aten.normal.float_Tensor)
def normal_float_tensor(mean, std, *, generator=None):
    _no_generator(generator)
    return _like(std, "randn") * std + mean


@decomposes(aten.normal.Tensor_Tensor)
def normal_tensor_tensor(mean, std, *, generator=None):
    _no_generator(generator)
    size = torch.broadcast_shapes(mean.shape, std.shape)
    return _draw(size, mean.dtype, mean.device, "randn") * std + mean


def _own_law(operation: Any, law: str) -> None:
    """A law that a method of tensors draws from by itself."""

    @decomposes(operation)
    def draw(x, *parameters, generator=None, **named):
        _no_generator(generator)
        values = [float(p) for p in (*parameters, *named.values())]
        return _like(x, law, parameters=values)


_own_law(aten.exponential.default, "exponential")
_own_law(aten.geometric.default, "geometric")
_own_law(aten.cauchy.default, "cauchy")
_own_law(aten.log_normal.default, "log_normal")


@decomposes(aten.native_dropout.default)
def native_dropout(x, p, train):
    """What CUDA's dropout is: the mask alone is random."""
    if train is False or p == 0:
        return x.clone(), torch.ones_like(x, dtype=torch.bool)
    if p == 1:
        return torch.zeros_like(x), torch.zeros_like(x, dtype=torch.bool)
    mask = _like(x, "dropout", torch.bool, p=float(p), of=_name(x.dtype))
    return x * mask * (1 / (1 - p)), mask


@decomposes(aten.multinomial.default)
def multinomial(*args, **options):
    raise ExportError("torch.multinomial")
