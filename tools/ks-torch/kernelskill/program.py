"""Packages as callables on tensors, and as operators of PyTorch.

A package (`model.ksp`, written by ks-opt) holds one or more variants of a program,
for different shapes of its inputs. `load` gives a callable that takes the program's
inputs in order, on the device it was loaded for, and returns a tuple of tensors. See
docs/PyTorch.md for what a call promises.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import torch

from kernelskill._runtime.build import extension


class Buffer(NamedTuple):
    """An input or output of a program."""

    name: str  # in the model, "" where none is known
    kind: str  # of an input: input, parameter, buffer, constant, random
    dtype: torch.dtype
    shape: tuple[int, ...]
    mutated: bool


class Result(NamedTuple):
    """A value that the model returns: an output or an input, or a view of one."""

    is_input: bool
    index: int
    view: tuple[tuple[int, ...], tuple[int, ...], int] | None


class Variant(NamedTuple):
    """A program of a package."""

    inputs: list[Buffer]
    outputs: list[Buffer]
    results: list[Result]
    workspace_bytes: int
    launches: int
    signature: str  # what the exporter left, JSON; "" if nothing


class Package:
    """A package file, opened and checked."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self._package = extension().open_package(str(self.path))
        self.variants: list[Variant] = []
        for number in range(self._package.num_variants()):
            inputs, outputs, results, *rest = self._package.describe(number)
            self.variants.append(
                Variant(
                    [Buffer(*buffer) for buffer in inputs],
                    [Buffer(*buffer) for buffer in outputs],
                    [Result(*result) for result in results],
                    *rest,
                )
            )

    def load(self, number: int, device: torch.device) -> Any:
        """Variant `number` on `device`: a callable that takes its inputs."""
        if device.type == "cuda":
            torch.cuda.init()
        return self._package.load(number, str(device))

    def find(self, shapes: Sequence[Sequence[int]]) -> int:
        """The variant for inputs of these shapes."""
        wanted = [tuple(shape) for shape in shapes]
        for number, variant in enumerate(self.variants):
            if [buffer.shape for buffer in variant.inputs] == wanted:
                return number
        raise ValueError(
            f"{self.path} holds no program for inputs of the shapes {wanted}; it has "
            + "; ".join(
                str([buffer.shape for buffer in variant.inputs])
                for variant in self.variants
            )
        )


def resolve_device(device: str | torch.device | None) -> torch.device:
    """`device` with an index if it is a GPU: the current one where none is given."""
    if device is None:
        device = "cuda" if torch.cuda.is_available() else "cpu"
    device = torch.device(device)
    if device.type not in ("cuda", "cpu"):
        raise ValueError(f"programs run on 'cuda' or 'cpu', not on '{device}'")
    if device.type == "cuda" and device.index is None:
        device = torch.device("cuda", torch.cuda.current_device())
    return device


class Program:
    """The programs of one package on one device, chosen by the inputs' shapes.

    Threads may call it at the same time. Inputs are checked and never copied; a
    tensor that does not fit is an error that names it.
    """

    def __init__(
        self, path: str | os.PathLike[str], device: str | torch.device | None = None
    ) -> None:
        self.package = Package(path)
        self.device = resolve_device(device)
        self._loaded: dict[int, Any] = {}
        self._by_shape: dict[tuple[tuple[int, ...], ...], Any] = {}
        self._lock = threading.Lock()

    def variant(self, index: int) -> Any:
        """Variant `index`, loaded: a callable that takes its inputs."""
        with self._lock:
            if index not in self._loaded:
                self._loaded[index] = self.package.load(index, self.device)
            return self._loaded[index]

    def for_shapes(self, shapes: Sequence[Sequence[int]]) -> Any:
        """The variant for inputs of these shapes."""
        key = tuple(tuple(shape) for shape in shapes)
        found = self._by_shape.get(key)
        if found is None:
            found = self.variant(self.package.find(key))
            self._by_shape[key] = found
        return found

    def __call__(self, *tensors: torch.Tensor) -> tuple[torch.Tensor, ...]:
        if len(self.package.variants) == 1:
            program = self._loaded.get(0) or self.variant(0)
        else:
            program = self.for_shapes([tensor.shape for tensor in tensors])
        return program(*tensors)

    def check(self) -> None:
        """Raises if a run-time check (an index out of bounds, say) failed in a call
        that the device has finished; a later call raises it too."""
        for program in list(self._loaded.values()):
            program.check()


def load(
    path: str | os.PathLike[str], device: str | torch.device | None = None
) -> Program:
    """Loads a package on `device`: the current GPU, or the CPU where there is none."""
    return Program(path, device)


def _schema(variant: Variant) -> str:
    """The operator's arguments and results in PyTorch's schema language."""
    arguments = []
    for number, buffer in enumerate(variant.inputs):
        name = "".join(c if c.isalnum() else "_" for c in buffer.name)
        if not name or name[0].isdigit():
            name = f"arg{number}_{name}".rstrip("_")
        alias = f"(a{number}!)" if buffer.mutated else ""
        arguments.append(f"Tensor{alias} {name}")
    results = ["Tensor"] * len(variant.results)
    returned = results[0] if len(results) == 1 else f"({', '.join(results)})"
    return f"({', '.join(arguments)}) -> {returned}"


def library_op(
    name: str, path: str | os.PathLike[str]
) -> Callable[..., torch.Tensor | tuple[torch.Tensor, ...]]:
    """Makes a package the operator `name` ("namespace::operator") of torch.library.

    The operator takes the program's inputs in order, on a GPU or the CPU, and works
    under torch.compile and torch.export, for the shapes that the package holds. It
    has no gradient. Returns the operator, `torch.ops.namespace.operator`.
    """
    namespace, _, operator = name.partition("::")
    if not namespace.isidentifier() or not operator.isidentifier():
        raise ValueError(f"'{name}' is no operator name like 'namespace::operator'")
    package = Package(path)
    for number, result in enumerate(package.variants[0].results):
        if result.is_input or result.view:
            raise ValueError(
                f"{path}: result {number} is a view; an operator's results must be "
                "tensors of their own"
            )
    programs: dict[torch.device, Program] = {}

    def run(*tensors: torch.Tensor) -> torch.Tensor | tuple[torch.Tensor, ...]:
        device = tensors[0].device
        program = programs.get(device)
        if program is None:
            program = programs.setdefault(device, Program(path, device))
        results = program(*tensors)
        return results[0] if len(results) == 1 else results

    def fake(*tensors: torch.Tensor) -> torch.Tensor | tuple[torch.Tensor, ...]:
        variant = package.variants[package.find([t.shape for t in tensors])]
        outputs = variant.outputs
        results = tuple(
            tensors[0].new_empty(
                outputs[result.index].shape, dtype=outputs[result.index].dtype
            )
            for result in variant.results
        )
        return results[0] if len(results) == 1 else results

    torch.library.define(name, _schema(package.variants[0]))
    torch.library.impl(name, ("cpu", "cuda"), run)
    torch.library.register_fake(name, fake)
    return getattr(getattr(torch.ops, namespace), operator)
