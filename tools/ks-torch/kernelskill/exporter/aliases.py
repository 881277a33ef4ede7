"""Which results of a model share memory with its arguments or with each other.

While a model is traced, its tensors have storages that behave as in eager PyTorch, so
what shares a storage is an alias. An output that lies in an argument's memory is
described and not computed. Outputs that lie in one fresh storage become views of one
result, if that result can be had whole.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import torch
from torch.multiprocessing.reductions import StorageWeakRef


@dataclasses.dataclass(frozen=True)
class View:
    """A view of a contiguous tensor, in elements."""

    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int


@dataclasses.dataclass(frozen=True)
class Place:
    """Where the caller finds a tensor: a result or an argument, or a view of it."""

    of: str  # "result" or "argument"
    index: int
    view: View | None = None


def _storage(tensor: torch.Tensor) -> StorageWeakRef:
    return StorageWeakRef(tensor.untyped_storage())


def _view(tensor: torch.Tensor) -> View:
    return View(tuple(tensor.shape), tensor.stride(), int(tensor.storage_offset()))


def _is_plain(tensor: torch.Tensor) -> bool:
    """Whether the tensor's elements are those in memory, with static places."""
    if tensor.is_conj() or tensor.is_neg():
        return False
    numbers = (*tensor.shape, *tensor.stride(), tensor.storage_offset())
    return all(isinstance(n, int) for n in numbers)


def _is_whole(tensor: torch.Tensor) -> bool:
    """Whether the tensor is all of its storage, row by row."""
    return (
        _is_plain(tensor)
        and tensor.is_contiguous()
        and tensor.storage_offset() == 0
        and tensor.untyped_storage().nbytes() == tensor.nbytes
    )


class Placer:
    """Decides where each output is to be found. `computed` collects the tensors that
    the function must return."""

    def __init__(self, arguments: Sequence[torch.Tensor]) -> None:
        self.computed: list[torch.Tensor] = []
        self._arguments = arguments
        self._argument_of = {_storage(t): i for i, t in enumerate(arguments)}
        self._places: dict[int, Place] = {}

    def place(self, outputs: Sequence[Any]) -> list[Place]:
        """The places of `outputs`, which are tensors."""
        groups: dict[StorageWeakRef, list[torch.Tensor]] = {}
        for output in outputs:
            groups.setdefault(_storage(output), []).append(output)
        return [self._place(x, groups[_storage(x)]) for x in outputs]

    def _place(self, output: torch.Tensor, group: list[torch.Tensor]) -> Place:
        if id(output) not in self._places:
            self._places[id(output)] = self._find(output, group)
        return self._places[id(output)]

    def _find(self, output: torch.Tensor, group: list[torch.Tensor]) -> Place:
        index = self._argument_of.get(_storage(output))
        if index is not None:
            argument = self._arguments[index]
            if output is argument or self._same(output, argument):
                return Place("argument", index)
            if self._can_view(output, argument):
                return Place("argument", index, _view(output))
            return self._fresh(output)
        base = self._base(output, group)
        if base is None or base is output:
            return self._fresh(output)
        place = self._place(base, group)
        return (
            place
            if self._same(output, base)
            else Place(place.of, place.index, _view(output))
        )

    def _fresh(self, output: torch.Tensor) -> Place:
        self.computed.append(output)
        return Place("result", len(self.computed) - 1)

    @staticmethod
    def _same(a: torch.Tensor, b: torch.Tensor) -> bool:
        plain = _is_plain(a) and _is_plain(b)
        return plain and a.dtype == b.dtype and _view(a) == _view(b)

    @staticmethod
    def _can_view(output: torch.Tensor, base: torch.Tensor) -> bool:
        return _is_plain(output) and _is_whole(base) and output.dtype == base.dtype

    def _base(
        self, output: torch.Tensor, group: list[torch.Tensor]
    ) -> torch.Tensor | None:
        """The tensor that `output` is a view of, if it is one of several outputs in a
        storage and that storage can be returned whole."""
        if len({id(x) for x in group}) < 2:
            return None
        for candidate in [*group, *(x._base for x in group if x._base is not None)]:
            if _is_whole(candidate) and self._can_view(output, candidate):
                return candidate
        return None
