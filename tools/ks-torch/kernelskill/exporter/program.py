"""What an export gives: the IR, the tensors that it reads, and how it is called."""

from __future__ import annotations

import dataclasses
import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
import torch.utils._pytree as pytree

from kernelskill import random_laws
from kernelskill.exporter.aliases import Place


@dataclasses.dataclass
class Exported:
    """An exported model.

    mlir       the module: @main, with `ks.*` attributes for its signature
    state      the tensors of the model that are arguments, by their `ks.name`; fake
               ones where the model was built without memory
    signature  how the call's arguments and the results are put together: what
               `ks.python` holds, as a dictionary
    arguments  name and kind of each argument of @main
    mutations  the arguments whose new values are the first results of @main
    results    where the caller finds each tensor that the model returns, then each
               that it sets
    """

    mlir: str
    state: dict[str, torch.Tensor]
    signature: dict[str, Any]
    arguments: list[tuple[str, str]]
    mutations: list[int]
    results: list[Place]

    def bind(
        self, args: Sequence[Any], kwargs: Mapping[str, Any] | None = None
    ) -> list[torch.Tensor]:
        """The arguments of @main for a call: its tensors, the model's, and random
        numbers, which are drawn on the device of the first tensor."""
        leaves = pytree.tree_leaves((tuple(args), dict(kwargs or {})))
        tensors: list[Any] = [None] * len(self.arguments)
        for leaf, entry in zip(leaves, self.signature["call"]["leaves"], strict=True):
            if "argument" in entry:
                tensors[entry["argument"]] = leaf
        for i, (name, _) in enumerate(self.arguments):
            if name in self.state and tensors[i] is None:
                tensors[i] = self.state[name]
        device = next((t.device for t in tensors if t is not None), "cpu")
        for entry in self.signature["random"]:
            tensors[entry["argument"]] = random_laws.draw(entry, device)
        return tensors

    def save(self, path: str | os.PathLike[str], weights: bool = True) -> None:
        """Writes `path`, and the tensors beside it as `<path>.safetensors` (its
        extension replaced). Nothing is left half written."""
        path = Path(path)
        real = {k: t for k, t in self.state.items() if _has_values(t)}
        if weights and len(real) != len(self.state):
            missing = next(k for k in self.state if k not in real)
            raise ValueError(f"'{missing}' has no values: the model was built as fake")
        files = {path: self._write_text}
        if weights and real:
            files[path.with_suffix(".safetensors")] = self._write_state
        _write(files)

    def _write_text(self, path: Path) -> None:
        path.write_text(self.mlir, encoding="utf-8")

    def _write_state(self, path: Path) -> None:
        from safetensors.torch import save_file

        # Separate copies only where memory is shared: the format refuses that.
        seen: set[int] = set()
        held = {}
        for name, tensor in self.state.items():
            tensor = tensor.detach().contiguous()
            if tensor.untyped_storage().data_ptr() in seen:
                tensor = tensor.clone()
            seen.add(tensor.untyped_storage().data_ptr())
            held[name] = tensor
        save_file(held, path)


def _has_values(tensor: torch.Tensor) -> bool:
    return type(tensor) in (torch.Tensor, torch.nn.Parameter) and not tensor.is_meta


def _write(files: Mapping[Path, Callable[[Path], None]]) -> None:
    """Writes files beside their places, and renames them when all are whole."""
    written: dict[Path, Path] = {}
    try:
        for path, write in files.items():
            handle, name = tempfile.mkstemp(prefix=path.name + ".", dir=path.parent)
            os.close(handle)
            written[path] = Path(name)
            write(written[path])
            os.chmod(name, 0o644)
        for path, part in written.items():
            os.replace(part, path)
    except BaseException:
        for part in written.values():
            part.unlink(missing_ok=True)
        raise
