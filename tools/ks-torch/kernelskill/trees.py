"""How the arguments and the results of a call are put together, as JSON.

A description is `null` for a leaf, or a list of a kind, what the kind needs, and the
descriptions of the parts:

    ["tuple", null, [...]]      ["list", null, [...]]      ["dict", keys, [...]]
    ["named", "module:Class", [...]]      ["torch", "topk", [...]]
    ["other", what treespec_dumps says]   for classes registered with torch's pytree
"""

from __future__ import annotations

import collections
import importlib
import itertools
import json
from collections.abc import Iterator, Sequence
from typing import Any

import torch
import torch.utils._pytree as pytree

_PLAIN = {tuple: "tuple", list: "list"}
_DICTS = {dict: "dict", collections.OrderedDict: "ordered"}
_RETURN_TYPES = torch.return_types.__name__


def describe(spec: pytree.TreeSpec) -> Any:
    """The description of a tree. Raises TypeError for classes it does not know."""
    if spec.is_leaf():
        return None
    kind, parts = spec.type, [describe(part) for part in spec.children()]
    if kind in _PLAIN:
        return [_PLAIN[kind], None, parts]
    if kind in _DICTS:
        keys = list(spec.context)
        if not all(isinstance(key, (str, int)) for key in keys):
            raise TypeError("a dictionary with keys that are no strings or integers")
        return [_DICTS[kind], keys, parts]
    if kind is collections.namedtuple:  # stands for every named tuple
        actual = spec.context
        return ["named", f"{actual.__module__}:{actual.__qualname__}", parts]
    if getattr(kind, "__module__", None) == _RETURN_TYPES:
        return ["torch", kind.__name__, parts]
    try:
        return ["other", json.loads(pytree.treespec_dumps(spec))]
    except Exception as error:
        raise TypeError(f"a {kind.__name__}: {error}") from error


def spec(description: Any) -> pytree.TreeSpec:
    """The tree that is described, as torch's pytree knows it."""
    return pytree.tree_structure(_build(description, itertools.repeat(_LEAF)))


_LEAF = object()


def build(description: Any, leaves: Sequence[Any]) -> Any:
    """The tree of `leaves`."""
    return _build(description, iter(leaves))


def _build(description: Any, leaves: Iterator[Any]) -> Any:
    if description is None:
        return next(leaves)
    kind, what, *rest = description
    if kind == "other":
        spec = pytree.treespec_loads(json.dumps(what))
        return pytree.tree_unflatten(
            [next(leaves) for _ in range(spec.num_leaves)], spec
        )
    parts = [_build(part, leaves) for part in rest[0]]
    if kind == "tuple":
        return tuple(parts)
    if kind == "list":
        return parts
    if kind == "dict":
        return dict(zip(what, parts))
    if kind == "ordered":
        return collections.OrderedDict(zip(what, parts))
    if kind == "torch":
        return getattr(torch.return_types, what)(parts)
    if kind == "named":
        module, name = what.split(":")
        value = importlib.import_module(module)
        for part in name.split("."):
            value = getattr(value, part)
        return value(*parts)
    raise ValueError(f"unknown kind of tree '{kind}'")


def describe_leaf(value: Any) -> Any:
    """A leaf that is no tensor, as JSON. Raises TypeError for what JSON cannot hold."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (torch.dtype, torch.device, torch.memory_format, torch.layout)):
        return {"torch": str(value)}
    if isinstance(value, complex):
        return {"complex": [value.real, value.imag]}
    raise TypeError(f"a {type(value).__name__}")


def build_leaf(description: Any) -> Any:
    """The leaf that is described."""
    if not isinstance(description, dict):
        return description
    if "complex" in description:
        return complex(*description["complex"])
    kind, _, name = description["torch"].rpartition(".")
    if kind == "torch":
        return getattr(torch, name)
    return torch.device(description["torch"])
