"""`kernelskill.optimize`: a model and an example call become a compiled model."""

from __future__ import annotations

import hashlib
import os
import re
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
import torch.utils._pytree as pytree

from kernelskill import cache, packages
from kernelskill.calling import GuardError, Signature, assign, resolver
from kernelskill.compiling import CompileOptions
from kernelskill.program import Package, resolve_device
from kernelskill.random_laws import draw

if TYPE_CHECKING:
    from kernelskill.exporter import Exported


class CompiledModel(torch.nn.Module):
    """A model whose `forward` is a compiled program.

    It is called as the model is, for the shapes, types and facts of the export, and
    computes without gradients. Parameters and buffers stay the model's own: what is
    changed in it counts in the next call. `report` says what was tried (the report of
    ks-opt's run), `package` is the compiled file.
    """

    def __init__(
        self,
        model: torch.nn.Module,
        package: Package,
        device: torch.device,
        report: dict[str, Any],
        constants: Mapping[str, torch.Tensor] | None = None,
        sizes: Mapping[str, int] | None = None,
    ) -> None:
        """`constants` are the program's inputs that neither a call nor the model
        brings, `sizes` those that open dimensions have here."""
        super().__init__()
        constants = constants or {}
        self.model = model
        self.package = package.path
        self.report = report
        variant = package.variants[0]
        self._device, self._sizes = device, sizes
        self._mode = model.training
        self._program = package.load(0, device)
        self._signature = Signature(variant.signature)
        self._fixed = [
            constants[buffer.name].to(device) if buffer.name in constants else None
            for buffer in variant.inputs
        ]
        self._held = [  # (input, how to get what the model holds for it)
            (i, resolver(model, buffer.name))
            for i, buffer in enumerate(variant.inputs)
            if i >= self._signature.num_inputs
            and buffer.kind != "random"
            and self._fixed[i] is None
        ]
        self._bind()

    def _bind(self) -> None:
        """Binds what the model holds now."""
        self._tensors = [get() for _, get in self._held]
        bound = list(self._fixed)
        for (i, _), tensor in zip(self._held, self._tensors):
            bound[i] = tensor
        self._bound = self._program.bind(bound, self._signature.returns_tensor())

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        # nn.Module's own __call__ serves hooks, which compiled models have none of.
        if self.model.training is not self._mode:
            mode = "training" if self._mode else "evaluation"
            raise GuardError(f"the model was in {mode} mode when it was compiled")
        for (_, get), tensor in zip(self._held, self._tensors):
            if get() is not tensor:  # Set anew, by `.to(...)` say.
                self._bind()
                break
        inputs = self._signature.inputs(args, kwargs)
        if laws := self._signature.random:
            drawn = (draw(law, self._device, self._sizes) for law in laws)
            inputs = [*inputs, *drawn]
        results = self._bound(*inputs)
        if self._signature.returns_tensor():
            return results
        for name, result in self._signature.state:
            assign(self.model, name, results[result])
        return self._signature.results(results)

    forward = __call__

    def check(self) -> None:
        """Raises if a run-time check of the model (an index out of bounds, say) failed
        in a call that the device has finished."""
        self._program.check()


def optimize(
    model: torch.nn.Module,
    args: Sequence[Any],
    kwargs: Mapping[str, Any] | None = None,
    *,
    dynamic: Mapping[str, Mapping[int, str]] | None = None,
    budget: int = 12,
    device: str = "auto",
    package: str | os.PathLike[str] | None = None,
    **options: Any,
) -> CompiledModel | CompiledSizes:
    """Compiles `model` for calls like `model(*args, **kwargs)`.

    dynamic  names of dimensions that may have other sizes: {"x": {0: "batch"}}. The
             model is exported once, and compiled for each choice of sizes when it is
             first called with it
    budget   trials for each distinct kernel; 0 compiles and tries nothing
    device   where candidates are tried: auto, cuda or host
    package  where to keep the compiled file; without it, it lies in the cache
    options  further fields of kernelskill.CompileOptions

    A model that was compiled before with at least this budget is found in the cache.
    Raises ExportError for what cannot be exported, CompileError where ks-opt fails.
    """
    from kernelskill.exporter import export

    where = _device_of(model, args, kwargs or {})
    chosen = CompileOptions(
        budget=budget, device=device, host=where.type == "cpu", **options
    )
    if dynamic and package:
        raise ValueError("a package holds one choice of sizes; dynamic takes none")
    exported = export(model, args, kwargs, dynamic=dynamic)
    maker = _Maker(model, exported, where, chosen)
    if dynamic:
        compiled = CompiledSizes(model, maker, dynamic)
        compiled.prepare(*args, **(kwargs or {}))
        return compiled
    return maker.make(None, Path(package) if package else None)


class _Maker:
    """Makes compiled models of one export."""

    def __init__(
        self,
        model: torch.nn.Module,
        exported: Exported,
        device: torch.device,
        options: CompileOptions,
    ) -> None:
        self.exported = exported
        self._model, self._device, self._options = model, device, options

    def make(self, sizes: Mapping[str, int] | None, package: Path | None) -> CompiledModel:
        target = package or cache.place(self._key(sizes or {}))
        report = None if package else packages.report_of(target, self._options)
        state = self.exported.state
        foreign = {k: t for k, t in state.items() if not _holds(self._model, k)}
        if report is None:
            packages.make(self.exported, target, self._options, foreign, sizes)
            report = packages.report_of(target, self._options)
        # The constants are this export's own: another one's may have other values in
        # the same program.
        return CompiledModel(
            self._model, Package(target), self._device, report or {}, foreign, sizes
        )

    def _key(self, sizes: Mapping[str, int]) -> str:
        # Where operations come from does not change what they compute.
        text = re.sub(
            r"^#loc.*\n| loc\(#loc\d*\)", "", self.exported.mlir, flags=re.MULTILINE
        )
        text += self._options.key() + str(sorted(sizes.items()))
        return hashlib.sha256(text.encode()).hexdigest()


class CompiledSizes(torch.nn.Module):
    """A compiled model with open dimensions: a CompiledModel for each choice of sizes
    that it was called with, all of one export."""

    def __init__(
        self,
        model: torch.nn.Module,
        maker: _Maker,
        dynamic: Mapping[str, Mapping[int, str]],
    ) -> None:
        super().__init__()
        self.model = model
        self._maker = maker
        leaves = maker.exported.signature["call"]["leaves"]
        places = {leaf["name"]: i for i, leaf in enumerate(leaves)}
        self._dimensions = [
            (name, places[name], dimension, label)
            for name, dimensions in dynamic.items()
            for dimension, label in dimensions.items()
        ]
        #: By the sizes, in the order of `labels`.
        self.compiled: dict[tuple[int, ...], CompiledModel] = {}
        self.labels = list(dict.fromkeys(label for *_, label in self._dimensions))
        self._lock = threading.Lock()

    def _sizes(self, args: Any, kwargs: Any) -> tuple[int, ...]:
        leaves = pytree.tree_leaves((args, kwargs))
        sizes: dict[str, int] = {}
        for name, place, dimension, label in self._dimensions:
            tensor = leaves[place] if place < len(leaves) else None
            if not isinstance(tensor, torch.Tensor) or tensor.dim() <= dimension:
                raise GuardError(f"'{name}' is no tensor with a dimension {dimension}")
            size = tensor.shape[dimension]
            if sizes.setdefault(label, size) != size:
                raise GuardError(
                    f"dimension {dimension} of '{name}' is {size}, and '{label}' is "
                    f"{sizes[label]} elsewhere"
                )
        return tuple(sizes[label] for label in self.labels)

    def prepare(self, *args: Any, **kwargs: Any) -> CompiledModel:
        """The model compiled for the sizes of this call; nothing is run."""
        sizes = self._sizes(args, kwargs)
        with self._lock:
            if sizes not in self.compiled:
                named = dict(zip(self.labels, sizes))
                self.compiled[sizes] = self._maker.make(named, None)
            return self.compiled[sizes]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        compiled = self.compiled.get(self._sizes(args, kwargs))
        return (compiled or self.prepare(*args, **kwargs))(*args, **kwargs)

    forward = __call__


def _holds(model: torch.nn.Module, name: str) -> bool:
    try:
        return isinstance(resolver(model, name)(), torch.Tensor)
    except (AttributeError, KeyError, IndexError, ValueError):
        return False


def _device_of(
    model: torch.nn.Module, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> torch.device:
    """The device of the tensors that the model computes on."""
    leaves = pytree.tree_leaves((tuple(args), dict(kwargs)))
    tensors = [x for x in leaves if isinstance(x, torch.Tensor)]
    tensors += [*model.parameters(), *model.buffers()]
    devices = {tensor.device for tensor in tensors}
    if len(devices) > 1:
        names = ", ".join(sorted(map(str, devices)))
        raise ValueError(f"the model and its arguments are on several devices: {names}")
    return resolve_device(devices.pop() if devices else "cpu")
