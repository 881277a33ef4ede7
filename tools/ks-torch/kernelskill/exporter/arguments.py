"""The arguments of the exported function, and where a model keeps them.

What a model reads becomes arguments of `@main`: the tensors of the call (inputs),
its parameters, its buffers, and tensors that are plain attributes of its modules,
also in lists and dictionaries (constants; state, if `forward` sets them anew). A
tensor with several names is one argument. Everything else is a fact of this export:
the numbers, strings and flags of the call become guards.
"""

from __future__ import annotations

import contextlib
import dataclasses
import inspect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import torch
import torch.utils._pytree as pytree

from kernelskill.errors import ExportError
from kernelskill.exporter.state import MODULES_OWN


@dataclasses.dataclass
class Slot:
    """A place in a model that holds a tensor: an entry of a dictionary or a list."""

    container: Any
    key: Any
    name: str  # as in the state dictionary, "layers.0.weight"

    def get(self) -> Any:
        return self.container[self.key]

    def set(self, value: Any) -> None:
        self.container[self.key] = value


@dataclasses.dataclass
class Argument:
    """An argument of `@main`."""

    name: str
    kind: str  # input, parameter, buffer, constant, random
    tensor: torch.Tensor  # of the example or of the model
    slots: list[Slot] = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Call:
    """A call of a model, taken apart: `leaves` in the order of `spec`."""

    spec: pytree.TreeSpec
    names: list[str]
    leaves: list[Any]

    def tensors(self) -> Iterator[tuple[int, torch.Tensor]]:
        for i, leaf in enumerate(self.leaves):
            if isinstance(leaf, torch.Tensor):
                yield i, leaf

    def rebuild(self, leaves: Sequence[Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        return pytree.tree_unflatten(list(leaves), self.spec)


_SCALARS = (bool, int, float, complex, str, type(None))
_DESCRIPTORS = (torch.dtype, torch.device, torch.memory_format, torch.layout)


def _signature_names(module: torch.nn.Module, count: int) -> list[str]:
    """Names of the first `count` positional parameters of the module's `forward`."""
    names: list[str] = []
    parameters: Iterable[inspect.Parameter] = ()
    with contextlib.suppress(TypeError, ValueError):
        parameters = inspect.signature(module.forward).parameters.values()
    for parameter in parameters:
        if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            names += [f"{parameter.name}.{i}" for i in range(count - len(names))]
        elif parameter.kind in (
            inspect.Parameter.POSITIONAL_ONLY,
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
        ):
            names.append(parameter.name)
    names += [f"arg{i}" for i in range(len(names), count)]
    return names[:count]


def _key_text(key: Any) -> str:
    for field in ("idx", "key", "name"):
        if hasattr(key, field):
            return str(getattr(key, field))
    return str(key)


def take_apart(
    module: torch.nn.Module, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> Call:
    """The leaves of a call, with names like `x` and `masks.0`."""
    flat, spec = pytree.tree_flatten_with_path((tuple(args), dict(kwargs)))
    positional = _signature_names(module, len(args))
    names, leaves = [], []
    for path, leaf in flat:
        first, rest = path[1], path[2:]
        root = positional[first.idx] if path[0].idx == 0 else _key_text(first)
        name = ".".join([root, *map(_key_text, rest)])
        if isinstance(leaf, torch.Tensor):
            _check_tensor(name, leaf)
        elif not isinstance(leaf, _SCALARS + _DESCRIPTORS):
            raise ExportError(
                f"argument '{name}' is of type {type(leaf).__name__}; an export takes "
                "tensors, numbers, strings and None, in tuples, lists and dictionaries"
            )
        names.append(name)
        leaves.append(leaf)
    return Call(spec, names, leaves)


def _check_tensor(name: str, tensor: torch.Tensor) -> None:
    if tensor.layout is not torch.strided or tensor.is_nested:
        raise ExportError(
            f"tensor '{name}' is sparse or nested, which is not supported"
        )
    if tensor.is_quantized:
        raise ExportError(f"tensor '{name}' is quantised, which is not supported")


def _slots_in(container: Any, keys: Iterable[Any], prefix: str, depth: int):
    for key in keys:
        value, name = container[key], f"{prefix}{key}"
        if isinstance(value, torch.Tensor):
            yield Slot(container, key, name)
        elif depth and type(value) is list:
            yield from _slots_in(value, range(len(value)), name + ".", depth - 1)
        elif depth and isinstance(value, dict):
            yield from _slots_in(value, list(value), name + ".", depth - 1)


def _slots(model: torch.nn.Module) -> Iterator[tuple[str, Slot]]:
    """Every place of the model that holds a tensor, with the kind of what it holds:
    all parameters, then all buffers, then plain attributes."""
    modules = [(p + "." if p else "", m) for p, m in model.named_modules()]
    for kind, field in (("parameter", "_parameters"), ("buffer", "_buffers")):
        for prefix, module in modules:
            held = getattr(module, field)
            for slot in _slots_in(held, list(held), prefix, 0):
                yield kind, slot
    for prefix, module in modules:
        names = [name for name in module.__dict__ if name not in MODULES_OWN]
        depth = 0 if isinstance(module, torch.fx.GraphModule) else 2
        for slot in _slots_in(module.__dict__, names, prefix, depth):
            yield "constant", slot


def of_model(model: torch.nn.Module) -> list[Argument]:
    """The tensors that a model holds, each once."""
    arguments: dict[int, Argument] = {}
    for kind, slot in _slots(model):
        tensor = slot.get()
        argument = arguments.get(id(tensor))
        if argument is None:
            _check_tensor(slot.name, tensor)
            argument = arguments[id(tensor)] = Argument(slot.name, kind, tensor)
        argument.slots.append(slot)
    return list(arguments.values())


def inputs_of(call: Call, merged: bool) -> tuple[list[Argument], list[tuple[int, int]]]:
    """The call's tensors as arguments, and which leaf is which argument. `merged`: a
    tensor that is given twice is one argument."""
    arguments: list[Argument] = []
    leaves: list[tuple[int, int]] = []
    seen: dict[int, int] = {}
    for i, tensor in call.tensors():
        number = seen.get(id(tensor)) if merged else None
        if number is None:
            number = seen[id(tensor)] = len(arguments)
            arguments.append(Argument(call.names[i], "input", tensor))
        leaves.append((i, number))
    return arguments, leaves


def _memory(tensor: torch.Tensor) -> int | None:
    """Names the memory that a tensor lies in, if it has any."""
    if type(tensor) not in (torch.Tensor, torch.nn.Parameter) or tensor.is_meta:
        return None
    return tensor.untyped_storage().data_ptr() or None


def sharers(arguments: Sequence[Argument], written: Iterable[int]) -> list[Argument]:
    """Pairs of arguments that share memory and of which one is written, the first
    such pair; empty if there is none."""
    for i in written:
        mine = arguments[i].tensor
        for j, other in enumerate(arguments):
            same = other.tensor is mine or (
                _memory(mine) is not None and _memory(mine) == _memory(other.tensor)
            )
            if j != i and same:
                return [arguments[i], other]
    return []


def put(arguments: Iterable[Argument], tensors: Iterable[torch.Tensor]) -> None:
    """Puts other tensors in a model's places."""
    for argument, tensor in zip(arguments, tensors):
        for slot in argument.slots:
            slot.set(tensor)
