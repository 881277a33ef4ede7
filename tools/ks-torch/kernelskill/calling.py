"""How a compiled model is called: from Python's arguments to tensors and back.

The exporter leaves a signature (`ks.python`) in the package: how a call's arguments
are put together, which of them were facts of the export, how the results are put
together, and which attributes of the model the caller is to set.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
import torch.utils._pytree as pytree

from kernelskill import trees


class GuardError(ValueError):
    """A call differs from the export in what the export took as a fact."""


def _equal(a: Any, b: Any) -> bool:
    return type(a) is type(b) and (a == b or a != a and b != b)


def _is(value: Any, description: Any) -> bool:
    """Whether a leaf that is no tensor is the one that the signature describes."""
    try:
        return _equal(trees.describe_leaf(value), description)
    except TypeError:
        return False


class Signature:
    """A call's form and the results' form."""

    def __init__(self, text: str) -> None:
        python: Mapping[str, Any] = json.loads(text)
        if python.get("format") != 1:
            raise ValueError("the package was exported by another version")
        self._call = python["call"]["leaves"]
        #: Of each leaf of the results: which result it is, or None and a value.
        self.result_leaves = [
            (leaf["result"], None)
            if "result" in leaf
            else (None, trees.build_leaf(leaf["value"]))
            for leaf in python["results"]["leaves"]
        ]
        self._call_spec = trees.spec(python["call"]["tree"])
        self._result_tree = python["results"]["tree"]
        #: (attribute of the model, result) pairs: what to set after a call.
        self.state = [(s["attribute"], s["result"]) for s in python["state"]]
        #: The random arguments in the order in which to draw them.
        self.random = python.get("random", [])
        #: The number of arguments that a call brings, which are the first ones.
        self.num_inputs = sum("argument" in leaf for leaf in self._call)
        self._positional = self._takes_tensors_only()

    def _takes_tensors_only(self) -> int:
        """n if a call is n positional tensors and nothing else; else -1."""
        n = len(self._call)
        plain = ((*[None] * n,), {})
        same = pytree.tree_structure(plain, is_leaf=lambda x: x is None)
        return n if self.num_inputs == n and same == self._call_spec else -1

    def inputs(
        self, args: tuple[Any, ...], kwargs: Mapping[str, Any]
    ) -> Sequence[torch.Tensor]:
        """The tensors of a call, in the order of the program's inputs."""
        if not kwargs and len(args) == self._positional:
            return args
        leaves, spec = pytree.tree_flatten((args, dict(kwargs)))
        if spec != self._call_spec:
            raise GuardError(
                "the call is put together otherwise than the exported one: expected "
                f"{self._call_spec}, got {spec}"
            )
        tensors = []
        for leaf, value in zip(self._call, leaves):
            if "argument" in leaf:
                tensors.append(value)
            elif "same_as" in leaf:
                first = leaf["same_as"]
                if value is not leaves[first]:
                    raise GuardError(
                        f"arguments '{self._call[first]['name']}' and '{leaf['name']}' "
                        "were one tensor in the export and are two; export the model "
                        "again"
                    )
            elif not _is(value, leaf["value"]):
                wanted = trees.build_leaf(leaf["value"])
                raise GuardError(
                    f"argument '{leaf['name']}' was {wanted!r} in the export and is "
                    f"{value!r}; export the model again"
                )
        return tensors

    def leaves(self, results: Sequence[torch.Tensor]) -> list[Any]:
        """The leaves of what the model returns, from the program's results."""
        return [
            value if number is None else results[number]
            for number, value in self.result_leaves
        ]

    def results(self, results: Sequence[torch.Tensor]) -> Any:
        """What the model returns, from the program's results."""
        return trees.build(self._result_tree, self.leaves(results))

    def returns_tensor(self) -> bool:
        """True if the model returns one tensor, and nothing else happens."""
        one = self._result_tree is None and self.result_leaves[0][0] is not None
        return one and not self.state


def resolver(model: torch.nn.Module, name: str) -> Callable[[], Any]:
    """A function that gets what `model` holds under a name like `layers.0.weight`."""
    *path, last = name.split(".")
    holder: Any = model
    for part in path:
        holder = _child(holder, part)
    return lambda: _child(holder, last)


def _child(holder: Any, name: str) -> Any:
    if isinstance(holder, (list, tuple)):
        return holder[int(name)]
    if isinstance(holder, dict):
        return holder[name]
    return getattr(holder, name)


def assign(model: torch.nn.Module, name: str, value: torch.Tensor) -> None:
    """Sets what `model` holds under `name`."""
    path, _, last = name.rpartition(".")
    holder = resolver(model, path)() if path else model
    if isinstance(holder, list):
        holder[int(last)] = value
    elif isinstance(holder, dict):
        holder[last] = value
    else:
        setattr(holder, last, value)
