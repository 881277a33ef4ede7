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


def _same(a: Any, b: Any) -> bool:
    if a is b:
        return True
    return type(a) is type(b) and isinstance(a, _SCALARS) and a == b


class Snapshot:
    """What the modules of a model hold at one moment."""

    def __init__(self, model: torch.nn.Module) -> None:
        self._held: list[tuple[str, Any, Any]] = []  # prefix, container, copy
        for path, module in model.named_modules():
            prefix = path + "." if path else ""
            self._keep(prefix, module.__dict__, 2)
            self._keep(prefix, module._buffers, 0)
            self._keep(prefix, module._parameters, 0)
            self._keep(prefix, module._modules, 0)

    def _keep(self, prefix: str, container: Any, depth: int) -> None:
        self._held.append((prefix, container, container.copy()))
        if not depth:
            return
        items = container.items() if isinstance(container, dict) else enumerate(container)
        for key, value in items:
            if key in MODULES_OWN:
                continue
            if type(value) in (list, dict):
                self._keep(f"{prefix}{key}.", value, depth - 1)

    def changes(self) -> list[Change]:
        """Tensors that were set since; raises if anything else was."""
        found = []
        for prefix, container, before in self._held:
            if isinstance(container, list):
                if len(container) != len(before):
                    raise ExportError(
                        f"forward changes the length of the list '{prefix[:-1]}'"
                    )
                keys: Any = range(len(before))
            else:
                keys = {**before, **container}
            for key in keys:
                change = self._change(f"{prefix}{key}", key, container, before)
                if change is not None:
                    found.append(change)
        return found

    def _change(self, name: str, key: Any, container: Any, before: Any) -> Change | None:
        if isinstance(container, list):
            old, new = before[key], container[key]
        else:
            old, new = before.get(key, _MISSING), container.get(key, _MISSING)
        if _same(old, new):
            return None
        if isinstance(new, torch.Tensor):
            return Change(name, new)
        said = ["unset" if v is _MISSING else repr(v)[:40] for v in (old, new)]
        raise ExportError(
            f"forward changes the attribute '{name}' from {said[0]} to {said[1]}; "
            "only tensors can be state"
        )

    def restore(self) -> None:
        for _, container, before in self._held:
            if isinstance(container, list):
                container[:] = before
            else:
                container.clear()
                container.update(before)
