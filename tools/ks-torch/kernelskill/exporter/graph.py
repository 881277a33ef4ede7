"""What is done to a traced graph before it is imported.

Tensors that the graph holds become literals or arguments, draws of random numbers
become arguments, and what nothing reads goes.
"""

from __future__ import annotations

import json
from typing import Any

import torch
import torch.utils._pytree as pytree
from torch.fx import GraphModule, Node

from kernelskill.errors import ExportError
from kernelskill.exporter import operators
from kernelskill.exporter.arguments import Argument
from kernelskill.exporter.constants import INLINE
from kernelskill.exporter.sources import site_of


def _is_real(tensor: torch.Tensor) -> bool:
    return type(tensor) in (torch.Tensor, torch.nn.Parameter)


def _append_placeholder(graph: torch.fx.Graph, node: Node, name: str) -> Node:
    """An argument after those that there are, with the type of `node`."""
    last = [n for n in graph.nodes if n.op == "placeholder"][-1:]
    with graph.inserting_after(last[0]) if last else graph.inserting_before():
        placeholder = graph.placeholder(name.replace(".", "_"))
    placeholder.meta = dict(node.meta)
    return placeholder


def lift_constants(module: GraphModule, taken: set[str]) -> list[Argument]:
    """Makes arguments of the tensors that are held and are large or not known."""
    lifted: dict[int, tuple[Argument, Node]] = {}
    for node in list(module.graph.nodes):
        if node.op != "get_attr":
            continue
        tensor = getattr(module, node.target)
        if not isinstance(tensor, torch.Tensor):
            continue
        if _is_real(tensor) and tensor.numel() <= INLINE:
            continue
        if id(tensor) not in lifted:
            name = _unused("constant", taken)
            node.meta.setdefault("val", tensor)
            argument = Argument(name, "constant", tensor)
            lifted[id(tensor)] = argument, _append_placeholder(module.graph, node, name)
        node.replace_all_uses_with(lifted[id(tensor)][1])
        module.graph.erase_node(node)
    return [argument for argument, _ in lifted.values()]


def _unused(stem: str, taken: set[str]) -> str:
    number = 0
    while f"{stem}.{number}" in taken:
        number += 1
    taken.add(f"{stem}.{number}")
    return f"{stem}.{number}"


def lift_random(module: GraphModule) -> tuple[list[Argument], list[dict[str, Any]]]:
    """Makes arguments of the draws, in order; also of what nothing reads, for it was
    drawn. Beside them what the caller needs to draw."""
    for child in module.children():
        if isinstance(child, GraphModule):
            _refuse_random(child)
    arguments: list[Argument] = []
    laws: list[dict[str, Any]] = []
    for node in list(module.graph.nodes):
        if node.target is not operators.random:
            continue
        value = node.meta["val"]
        name = f"random.{len(arguments)}"
        law = json.loads(node.args[3])
        law["dtype"] = str(value.dtype).removeprefix("torch.")
        node.replace_all_uses_with(_append_placeholder(module.graph, node, name))
        module.graph.erase_node(node)
        arguments.append(Argument(name, "random", value))
        laws.append(law)
    return arguments, laws


def _refuse_random(loop: GraphModule) -> None:
    for node in loop.graph.nodes:
        if node.target is operators.random:
            raise ExportError("random numbers in the body of a scan", site_of(node))


def shapes(module: GraphModule) -> list[torch.Size]:
    """Of the arguments."""
    placeholders = [n for n in module.graph.nodes if n.op == "placeholder"]
    return [node.meta["val"].shape for node in placeholders]


def forget_devices(module: GraphModule) -> None:
    """Values are the same on every device; torch-mlir knows one."""
    cpu = torch.device("cpu")
    for node in module.graph.nodes:
        if node.op == "call_function":
            devices = (torch.device,)
            node.args = pytree.tree_map_only(devices, lambda _: cpu, node.args)
            node.kwargs = pytree.tree_map_only(devices, lambda _: cpu, node.kwargs)
    for child in module.children():
        if isinstance(child, GraphModule):
            forget_devices(child)


def _refuse_writes(module: GraphModule) -> None:
    """What the trace did not turn into values writes to a tensor from outside."""
    for node in module.graph.nodes:
        schema = getattr(node.target, "_schema", None)
        if schema is not None and schema.is_mutable:
            raise ExportError(
                "forward writes to a tensor that the model does not hold and that it "
                "was not given",
                site_of(node),
            )


def clean(module: GraphModule) -> None:
    """Drops what nothing reads; refuses what cannot be a function."""
    _refuse_writes(module)
    forget_devices(module)
    module.graph.eliminate_dead_code(is_impure_node=lambda node: node.is_impure(False))
    module.recompile()
