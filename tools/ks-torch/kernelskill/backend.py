"""The backend of torch.compile: `torch.compile(model, backend="kernelskill")`.

A graph without gradients is looked up in the cache by its content, and exported and
compiled if it is not there. A graph with gradients goes through aot_autograd, and its
forward and backward graphs go the same way. What cannot be compiled runs eagerly, as
a whole, with a warning.
"""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
import torch._dynamo
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.passes.fake_tensor_prop import FakeTensorProp

from kernelskill import _find, cache, packages
from kernelskill.calling import Signature
from kernelskill.compiling import CompileError, CompileOptions
from kernelskill.errors import ExportError
from kernelskill.graph_key import UncacheableError, graph_key
from kernelskill.program import Package
from kernelskill.random_laws import draw

# Without it Dynamo runs a model that holds an nn.LSTM, GRU or RNN eagerly, and no
# backend ever sees it.
torch._dynamo.config.allow_rnn = True

# Grows when graphs are compiled to programs that are called differently.
_FORMAT = "kernelskill 1"

_Compiled = Callable[..., Any]


class _EagerOnly(Exception):
    """The graph is none that can be compiled; says why."""


# What makes a graph run eagerly. Everything else is a defect and is raised.
_REFUSALS = (_EagerOnly, ExportError, CompileError, FileNotFoundError, cache.CacheError)


class EagerWarning(UserWarning):
    """A graph runs eagerly, since it cannot be compiled."""


def kernelskill(
    graph: torch.fx.GraphModule,
    inputs: Sequence[Any],
    *,
    options: Mapping[str, Any] | None = None,
    mode: str | None = None,
) -> _Compiled:
    """The backend. `options` are the fields of CompileOptions, `budget` first of all."""
    if mode not in (None, "default"):
        raise ValueError(f"kernelskill has no mode '{mode}'; its options say more")
    known = {field.name for field in dataclasses.fields(CompileOptions)}
    for name in options or {}:
        if name not in known:
            raise ValueError(
                f"kernelskill has no option '{name}'; it has {', '.join(sorted(known))}"
            )
    chosen = CompileOptions(**(options or {}))
    try:
        if any(isinstance(value, torch.SymInt) for value in inputs):
            return _BySize(graph, chosen)
        return _compile(graph, inputs, chosen)
    except _REFUSALS as reason:
        _warn(reason)
        return graph.forward


def _warn(reason: BaseException) -> None:
    warnings.warn(
        f"a graph runs eagerly and not compiled by kernelskill: {reason}",
        EagerWarning,
        stacklevel=3,
    )


def _compile(
    graph: torch.fx.GraphModule, inputs: Sequence[Any], options: CompileOptions
) -> _Compiled:
    tensors = [value for value in inputs if isinstance(value, torch.Tensor)]
    if torch.is_grad_enabled() and any(tensor.requires_grad for tensor in tensors):
        return _compile_training(graph, inputs, options)
    return _compile_graph(graph, inputs, options)


def _compile_training(
    graph: torch.fx.GraphModule, inputs: Sequence[Any], options: CompileOptions
) -> _Compiled:
    from torch._dynamo.backends.common import aot_autograd
    from torch._functorch.aot_autograd import make_boxed_func

    refused: list[Exception] = []

    def compile_part(part: torch.fx.GraphModule, values: Sequence[Any]) -> _Compiled:
        # A part that was refused runs eagerly only if it is compiled late, in the
        # first backward pass; else all of the graph does.
        try:
            return make_boxed_func(_compile_graph(part, values, options))
        except _REFUSALS as reason:
            refused.append(reason)
            return make_boxed_func(part.forward)

    compiled = aot_autograd(fw_compiler=compile_part, bw_compiler=compile_part)(
        graph, list(inputs)
    )
    if refused:
        raise refused[0]
    return compiled


def _device(graph: torch.fx.GraphModule, inputs: Sequence[Any]) -> torch.device:
    """The one device that the graph computes on."""
    devices = {value.device for value in inputs if isinstance(value, torch.Tensor)}
    for node in graph.graph.nodes:
        value = node.meta.get("example_value", node.meta.get("val"))
        if isinstance(value, torch.Tensor):
            devices.add(value.device)
    if len(devices) > 1:
        names = ", ".join(sorted(map(str, devices)))
        raise _EagerOnly(f"it computes on several devices: {names}")
    device = devices.pop() if devices else torch.device("cpu")
    if device.type not in ("cpu", "cuda"):
        raise _EagerOnly(f"it computes on {device}")
    return device


def _compile_graph(
    graph: torch.fx.GraphModule, inputs: Sequence[Any], options: CompileOptions
) -> _Compiled:
    device = _device(graph, inputs)
    if any(not isinstance(value, torch.Tensor) for value in inputs):
        raise _EagerOnly("an input is no tensor")
    options = dataclasses.replace(options, host=options.host or device.type == "cpu")
    try:
        key = graph_key(graph, inputs, (_FORMAT, torch.__version__.split("+")[0]))
    except UncacheableError as reason:
        raise _EagerOnly(f"it holds {reason}") from reason
    package = cache.place(key)
    if packages.report_of(package, options) is None:
        _make_package(graph, inputs, options, package)
    return _Runner(graph, Package(package), inputs, device)


def _make_package(
    graph: torch.fx.GraphModule,
    inputs: Sequence[Any],
    options: CompileOptions,
    package: Path,
) -> None:
    _find.require_compiler()
    try:
        from kernelskill.exporter import export
    except ImportError as error:
        raise _EagerOnly(
            f"it is not in the cache, and exporting it needs torch-mlir: {error}"
        ) from error
    with torch._guards.tracing(None):  # Dynamo's own, with its own fake tensors.
        exported = export(graph, tuple(inputs))
    packages.make(exported, package, options, exported.state)


def _boundaries(graph: torch.fx.GraphModule) -> tuple[Any, ...]:
    """What the graph returns, as its metadata knows it."""
    returned = next(n for n in reversed(graph.graph.nodes) if n.op == "output").args[0]
    return tuple(
        node.meta.get("example_value", node.meta.get("val"))
        if isinstance(node, torch.fx.Node)
        else node
        for node in returned
    )


class _Runner:
    """A compiled graph, called as Dynamo calls the graph itself."""

    def __init__(
        self,
        graph: torch.fx.GraphModule,
        package: Package,
        inputs: Sequence[torch.Tensor],
        device: torch.device,
    ) -> None:
        variant = package.variants[0]
        self._eager = graph.forward
        self._device = device
        self._signature = Signature(variant.signature)
        self._copied = [i for i, x in enumerate(inputs) if not x.is_contiguous()]
        written = [i for i, buffer in enumerate(variant.inputs) if buffer.mutated]
        if set(written) & set(self._copied):
            raise _EagerOnly("it writes to an input that is not contiguous")
        constants = packages.constants_of(package.path, device)
        bound = [constants.get(buffer.name) for buffer in variant.inputs]
        self._program = package.load(0, device).bind(bound, False)
        self._restride = self._wrong_strides(graph, variant)

    def _wrong_strides(self, graph: torch.fx.GraphModule, variant: Any) -> list[Any]:
        """Results that PyTorch lays out otherwise: (leaf, strides). Code that was
        traced behind this graph may rely on them."""
        wrong = []
        leaves = self._signature.result_leaves
        for i, ((number, _), fake) in enumerate(zip(leaves, _boundaries(graph))):
            if number is None or not isinstance(fake, torch.Tensor):
                continue
            result = variant.results[number]
            if result.is_input or result.view:
                continue
            if not fake.is_contiguous():
                wrong.append((i, fake.stride()))
        return wrong

    def __call__(self, *inputs: Any) -> Sequence[Any]:
        tensors = inputs
        if self._copied:
            tensors = list(inputs)
            for i in self._copied:
                tensors[i] = tensors[i].contiguous()
        if self._signature.random:
            drawn = (draw(law, self._device) for law in self._signature.random)
            tensors = [*tensors, *drawn]
        try:
            results = self._program(*tensors)
        except ValueError as reason:
            # Nothing has run. Buffers overlap, say, which no guard of Dynamo's saw.
            _warn(reason)
            return self._eager(*inputs)
        values = self._signature.leaves(results)
        for i, strides in self._restride:
            laid_out = values[i].new_empty_strided(values[i].shape, strides)
            values[i] = laid_out.copy_(values[i])
        return values


class _BySize:
    """A graph with open sizes: one compiled graph for each choice of sizes that comes
    along, chosen by the integers that Dynamo passes beside the tensors."""

    def __init__(self, graph: torch.fx.GraphModule, options: CompileOptions) -> None:
        self._graph, self._options = graph, options
        self._compiled: dict[tuple[int, ...], _Compiled] = {}

    def __call__(self, *inputs: Any) -> Any:
        sizes = tuple(value for value in inputs if type(value) is int)
        compiled = self._compiled.get(sizes)
        if compiled is None:
            compiled = self._specialise(inputs)
            self._compiled[sizes] = compiled
        return compiled(*inputs)

    def _specialise(self, inputs: Sequence[Any]) -> _Compiled:
        try:
            graph = _with_sizes(self._graph, inputs)
            tensors = [value for value in inputs if isinstance(value, torch.Tensor)]
            compiled = _compile(graph, tensors, self._options)
        except _REFUSALS as reason:
            _warn(reason)
            return self._graph.forward
        places = [i for i, x in enumerate(inputs) if isinstance(x, torch.Tensor)]
        return lambda *values: compiled(*(values[i] for i in places))


def _with_sizes(
    graph: torch.fx.GraphModule, inputs: Sequence[Any]
) -> torch.fx.GraphModule:
    """The graph with its integer inputs replaced by their values."""
    copy = torch.fx.GraphModule(graph, torch.fx.Graph())
    copy.graph.output(copy.graph.graph_copy(graph.graph, {}))
    placeholders = [n for n in copy.graph.nodes if n.op == "placeholder"]
    for node, value in zip(placeholders, inputs):
        if isinstance(value, torch.Tensor):
            continue
        if type(value) is not int:
            raise _EagerOnly(f"an input is a {type(value).__name__}")
        node.replace_all_uses_with(value)
        copy.graph.erase_node(node)
    for node in copy.graph.nodes:
        node.meta.pop("example_value", None)  # Of the open sizes.
    copy.recompile()
    mode = FakeTensorMode(allow_non_fake_inputs=True)
    tensors = [value for value in inputs if isinstance(value, torch.Tensor)]
    FakeTensorProp(copy, mode).propagate(*tensors)
    return copy
