"""The functions of scans: a counted loop around a call of the body.

    scf.for %t = 0 to N, carrying the values and what is stacked:
      slice step t of each scanned tensor, call the body, insert step t of each result

The form is the one that ks-normalize takes: constant bounds, slices and insertions
along the first dimension only.
"""

from __future__ import annotations

from collections.abc import Sequence

from torch_mlir import ir

from kernelskill.errors import ExportError
from kernelskill.exporter.importer import Loop


def _names(stem: str, count: int) -> list[str]:
    return [f"%{stem}{i}" for i in range(count)]


def _tensors(types: Sequence[ir.Type]) -> list[ir.RankedTensorType]:
    return [ir.RankedTensorType(t) for t in types]


class _Definition:
    """Writes one function, line by line."""

    def __init__(
        self, loop: Loop, declared: ir.FunctionType, body: ir.FunctionType
    ) -> None:
        self.loop = loop
        self.inputs, self.outputs = (
            _tensors(declared.inputs),
            _tensors(declared.results),
        )
        self.body_in, self.body_out = _tensors(body.inputs), _tensors(body.results)
        self.names = _names("in", len(self.inputs))
        self.lines: list[str] = []

    def text(self, location: str) -> str:
        arguments = ", ".join(
            f"{name}: {type_} {location}"
            for name, type_ in zip(self.names, self.inputs)
        )
        self._before()
        self._loop()
        body = "\n".join(
            line if line.endswith(("{", "step %c1")) else f"{line} {location}"
            for line in self.lines
        )
        head = f"func.func private @{self.loop.name}({arguments})"
        return f"{head} -> ({self._types(self.outputs)}) {{\n{body}\n}} {location}"

    @staticmethod
    def _types(types: Sequence[ir.Type]) -> str:
        return ", ".join(map(str, types))

    def _steps(self) -> int:
        scanned = self.inputs[self.loop.carried :][: self.loop.scanned]
        if not scanned:
            raise ExportError("a scan of nothing")
        if scanned[0].is_dynamic_dim(0):
            raise ExportError("a scan over an open dimension")
        return scanned[0].shape[0]

    def _size(self, operand: int, dim: int) -> str:
        """An open size of an operand, as a value."""
        name = f"%size{len(self.lines)}"
        self.lines += [
            f"  %dim{len(self.lines)} = arith.constant {dim} : index",
            f"  {name} = tensor.dim {self.names[operand]}, %dim{len(self.lines)}"
            f" : {self.inputs[operand]}",
        ]
        return name

    def _sizes(
        self, type_: ir.RankedTensorType, places: dict[int, tuple[int, int]]
    ) -> list[str]:
        return [
            self._size(*places[dim]) if type_.is_dynamic_dim(dim) else str(size)
            for dim, size in enumerate(type_.shape)
        ]

    def _before(self) -> None:
        """Sizes, and the tensors that results are stacked in."""
        carried = self.loop.carried
        self.lines += [
            "  %c0 = arith.constant 0 : index",
            "  %c1 = arith.constant 1 : index",
            f"  %n = arith.constant {self._steps()} : index",
        ]
        self.slices, self.stacks, self.empty = [], [], []
        for i in range(carried, carried + self.loop.scanned):
            places = {dim: (i, dim) for dim in range(self.inputs[i].rank)}
            self.slices.append(self._sizes(self.inputs[i], places)[1:])
        for i, type_ in enumerate(self.outputs[carried:]):
            sizes = self._sizes(type_, self.loop.sizes[i])
            self.stacks.append(sizes[1:])
            self.empty.append(f"%empty{i}")
            dynamic = ", ".join(size for size in sizes if size.startswith("%"))
            self.lines += [f"  {self.empty[i]} = tensor.empty({dynamic}) : {type_}"]

    @staticmethod
    def _window(sizes: list[str]) -> str:
        """Offsets, sizes and strides of step %t of a stack."""
        offsets, ones = ["%t", *["0"] * len(sizes)], ["1"] * (len(sizes) + 1)
        window = (offsets, ["1", *sizes], ones)
        return " ".join(f"[{', '.join(part)}]" for part in window)

    def _loop(self) -> None:
        carried, scanned = self.loop.carried, self.loop.scanned
        held, filled = _names("held", carried), _names("filled", len(self.empty))
        pairs = zip(held + filled, self.names[:carried] + self.empty)
        start = ", ".join(f"{name} = {value}" for name, value in pairs)
        outputs = self._types(self.outputs)
        self.lines += [
            f"  %r:{len(self.outputs)} = scf.for %t = %c0 to %n step %c1",
            f"      iter_args({start}) -> ({outputs}) {{",
        ]
        steps = _names("step", scanned)
        for i, name in enumerate(steps, carried):
            window = self._window(self.slices[i - carried])
            self.lines += [
                f"    {name} = tensor.extract_slice {self.names[i]}{window}"
                f" : {self.inputs[i]} to {self.body_in[i]}"
            ]
        operands = held + steps + self.names[carried + scanned :]
        self.lines += [
            f"    %b:{len(self.body_out)} = func.call @{self.loop.body}"
            f"({', '.join(operands)}) : ({self._types(self.body_in)}) -> "
            f"({self._types(self.body_out)})"
        ]
        following = _names("next", len(self.empty))
        for i, name in enumerate(following):
            self.lines += [
                f"    {name} = tensor.insert_slice %b#{carried + i} into {filled[i]}"
                f"{self._window(self.stacks[i])} : {self.body_out[carried + i]}"
                f" into {self.outputs[carried + i]}"
            ]
        yielded = [f"%b#{i}" for i in range(carried)] + following
        results = [f"%r#{i}" for i in range(len(self.outputs))]
        self.lines += [
            f"    scf.yield {', '.join(yielded)} : {outputs}",
            "  }",
            f"  return {', '.join(results)} : {outputs}",
        ]


def define(
    loop: Loop, declared: ir.FunctionType, body: ir.FunctionType, location: str
) -> str:
    """The text of the function, to stand where it was declared; `location` is that
    of all of it, `loc(...)`."""
    return _Definition(loop, declared, body).text(location)
