"""A name for what a captured graph computes.

Two graphs get the same key exactly if they are the same computation on inputs of the
same dtypes, shapes and strides, under the same modes of PyTorch. Names of nodes, the
values of parameters, and the device do not count: a program that was compiled on one
machine is found on another. What is not known to be safe is refused.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterable
from typing import Any

import torch
import torch.fx


class UncacheableError(Exception):
    """The graph holds something whose meaning the key could not tell."""


# Functions of these modules mean the same wherever they are called.
_MODULES = ("torch", "_operator", "operator", "math", "builtins")
_ATOMS = (bool, int, str, type(None), type(Ellipsis))
_NAMED = (torch.dtype, torch.layout, torch.memory_format)


def _function_name(target: Callable[..., Any]) -> str:
    if isinstance(target, torch._ops.OpOverload):
        if target.namespace not in ("aten", "prims", "higher_order"):
            raise UncacheableError(f"the operator {target}")
        return str(target)
    if isinstance(target, torch._ops.HigherOrderOperator):
        return f"higher_order::{target.name()}"
    module = getattr(target, "__module__", None)
    name = getattr(target, "__qualname__", None) or getattr(target, "__name__", "")
    if module is None:  # A method descriptor or a builtin of torch._C.
        owner = getattr(target, "__objclass__", None) or getattr(
            target, "__self__", None
        )
        module = getattr(owner, "__module__", None) or getattr(owner, "__name__", "")
    if not name or "<" in name or str(module).split(".")[0] not in _MODULES:
        raise UncacheableError(f"the function {target!r}")
    return f"{module}.{name}"


class _Writer:
    """Feeds a hash; every item is written with its kind and length."""

    def __init__(self) -> None:
        self.hash = hashlib.sha256()

    def write(self, kind: str, text: str | bytes = "") -> None:
        data = text.encode() if isinstance(text, str) else text
        self.hash.update(f"{kind}:{len(data)}:".encode() + data)

    def sequence(self, kind: str, items: Iterable[Any], number: dict) -> None:
        items = list(items)
        self.write(kind, str(len(items)))
        for item in items:
            self.value(item, number)

    def value(self, value: Any, number: dict[torch.fx.Node, int]) -> None:
        """An argument of a node."""
        if isinstance(value, torch.fx.Node):
            self.write("node", str(number[value]))
        elif isinstance(value, _ATOMS):
            self.write(type(value).__name__, repr(value))
        elif isinstance(value, float):
            self.write("float", "nan" if math.isnan(value) else value.hex())
        elif isinstance(value, complex):
            self.write("complex", f"{value.real.hex()} {value.imag.hex()}")
        elif isinstance(value, torch.device):
            self.write("device")  # Which one it is, the inputs say.
        elif isinstance(value, _NAMED):
            self.write(type(value).__name__, str(value))
        elif isinstance(value, slice):
            self.sequence("slice", (value.start, value.stop, value.step), number)
        elif isinstance(value, (tuple, list)):
            # torch.Size is a tuple to every operator.
            self.sequence("list" if type(value) is list else "tuple", value, number)
        elif isinstance(value, dict):
            self.sequence("dict", (part for kv in value.items() for part in kv), number)
        elif callable(value):
            self.write("function", _function_name(value))
        else:
            raise UncacheableError(f"an argument of type {type(value).__name__}")

    def tensor(self, tensor: torch.Tensor) -> None:
        """What a tensor is, without its values."""
        if tensor.layout != torch.strided:
            raise UncacheableError(f"a tensor of layout {tensor.layout}")
        if any(isinstance(size, torch.SymInt) for size in tensor.shape):
            raise UncacheableError("a size that is not known")
        lazy = (tensor.is_conj(), tensor.is_neg())
        self.write("dtype", str(tensor.dtype))
        self.write("sizes", str((tuple(tensor.shape), tensor.stride(), lazy)))

    def constant(self, tensor: torch.Tensor) -> None:
        """A tensor whose values are part of the graph."""
        self.tensor(tensor)
        values = tensor.detach().resolve_conj().resolve_neg().cpu().contiguous()
        self.write("values", values.reshape(-1).view(torch.uint8).numpy().tobytes())

    def graph(self, module: torch.fx.GraphModule) -> None:
        number: dict[torch.fx.Node, int] = {}
        for node in module.graph.nodes:
            self.write("op", node.op)
            if node.op == "call_function":
                self.write("target", _function_name(node.target))
            elif node.op == "call_method":
                self.write("target", node.target)
            elif node.op == "get_attr":
                self.attribute(module, node.target)
            elif node.op == "call_module":
                raise UncacheableError(f"the module '{node.target}' as a whole")
            if node.op != "placeholder":
                self.value(node.args, number)
                self.value(dict(sorted(node.kwargs.items())), number)
            number[node] = len(number)

    def attribute(self, module: torch.nn.Module, path: str) -> None:
        value: Any = module
        for name in path.split("."):
            value = getattr(value, name)
        if isinstance(value, torch.fx.GraphModule):
            self.write("graph")
            self.graph(value)
        elif isinstance(value, torch.Tensor):
            self.constant(value)
        else:
            raise UncacheableError(f"the attribute '{path}'")


def _modes() -> dict[str, Any]:
    """What changes a graph's meaning and stands in no node."""
    autocast = {
        device: str(torch.get_autocast_dtype(device))
        for device in ("cpu", "cuda")
        if torch.is_autocast_enabled(device)
    }
    return {
        "autocast": autocast,
        "default dtype": str(torch.get_default_dtype()),
        "matmul precision": torch.get_float32_matmul_precision(),
        "convolution tf32": torch.backends.cudnn.allow_tf32,
        "deterministic": torch.are_deterministic_algorithms_enabled(),
    }


def graph_key(
    module: torch.fx.GraphModule, inputs: Iterable[Any], salt: Iterable[str] = ()
) -> str:
    """The key of a graph that is called with `inputs`: 64 hexadecimal digits.

    `salt` is what else the result depends on: versions, options.
    """
    writer = _Writer()
    for part in salt:
        writer.write("salt", part)
    writer.value({k: str(v) for k, v in sorted(_modes().items())}, {})
    for value in inputs:
        if isinstance(value, torch.Tensor):
            writer.tensor(value)
        else:
            writer.value(value, {})
    writer.graph(module)
    return writer.hash.hexdigest()
