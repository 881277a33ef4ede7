"""What a model's `forward` sets on its modules.

A tensor that `forward` assigns to an attribute or to a buffer is state: the exported
function returns it, and the caller sets it again after each call. Other values that
change would make the second call another function than the first, so they are errors.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import torch

from kernelskill.errors import ExportError

_SCALARS = (bool, int, float, complex, str, bytes, type(None), tuple)
_MISSING = object()

# What nn.Module keeps in its __dict__ for itself.
MODULES_OWN = frozenset(torch.nn.Module().__dict__)


@dataclasses.dataclass
class Change:
    """An attribute, or a list's element, that holds another tensor than before."""

    name: str
    value: torch.Tensor


@dataclasses.dataclass
class _Held:
    """A dictionary or a list of a module, and what it held."""

    prefix: str
    container: Any
    before: Any
    torchs: bool  # a module of PyTorch's


def _same(a: Any, b: Any) -> bool:
    if a is b:
        return True
    return type(a) is type(b) and isinstance(a, _SCALARS) and a == b


class Snapshot:
    """What the modules of a model hold at one moment."""

    def __init__(self, model: torch.nn.Module) -> None:
        self._held: list[_Held] = []
        for path, module in model.named_modules():
            prefix = path + "." if path else ""
            torchs = type(module).__module__.startswith("torch.")
            depth = 0 if isinstance(module, torch.fx.GraphModule) else 2
            self._keep(prefix, module.__dict__, depth, torchs)
            self._keep(prefix, module._buffers, 0, torchs)
            self._keep(prefix, module._parameters, 0, torchs)
            self._keep(prefix, module._modules, 0, torchs)

    def _keep(self, prefix: str, container: Any, depth: int, torchs: bool) -> None:
        self._held.append(_Held(prefix, container, container.copy(), torchs))
        if not depth:
            return
        items = (
            container.items() if isinstance(container, dict) else enumerate(container)
        )
        for key, value in items:
            if key in MODULES_OWN:
                continue
            if type(value) in (list, dict):
                self._keep(f"{prefix}{key}.", value, depth - 1, torchs)

    def changes(self) -> list[Change]:
        """Tensors that were set since; raises if anything else was."""
        found = []
        for held in self._held:
            if isinstance(held.container, list):
                if len(held.container) != len(held.before):
                    raise ExportError(
                        f"forward changes the length of the list '{held.prefix[:-1]}'"
                    )
                keys: Any = range(len(held.before))
            else:
                keys = {**held.before, **held.container}
            for key in keys:
                change = self._change(held, key)
                if change is not None:
                    found.append(change)
        return found

    @staticmethod
    def _change(held: _Held, key: Any) -> Change | None:
        if isinstance(held.container, list):
            old, new = held.before[key], held.container[key]
        else:
            old = held.before.get(key, _MISSING)
            new = held.container.get(key, _MISSING)
        if _same(old, new):
            return None
        name = f"{held.prefix}{key}"
        if isinstance(new, torch.Tensor):
            return Change(name, new)
        if held.torchs:  # bookkeeping of PyTorch's own modules
            return None
        said = ["unset" if v is _MISSING else repr(v)[:40] for v in (old, new)]
        raise ExportError(
            f"forward changes the attribute '{name}' from {said[0]} to {said[1]}; "
            "only tensors can be state"
        )

    def restore(self) -> None:
        for held in self._held:
            if isinstance(held.container, list):
                held.container[:] = held.before
            else:
                held.container.clear()
                held.container.update(held.before)
