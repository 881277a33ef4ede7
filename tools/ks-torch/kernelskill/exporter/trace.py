"""From a model and a call to a functional graph of ATen operations.

The model runs once, on fake tensors that hold no memory: make_fx records what it
does, FunctionalTensorMode turns mutations and views into values, the decompositions
of this package and of torch-mlir replace what torch-mlir cannot lower, and `Sites`
notes where each operation comes from.
"""

from __future__ import annotations

import contextlib
import dataclasses
import importlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from unittest import mock

import torch
import torch.fx.traceback as fx_traceback
import torch.utils._pytree as pytree
from torch._functorch._aot_autograd import functional_utils
from torch._subclasses.functional_tensor import FunctionalTensorMode
from torch.fx.experimental.proxy_tensor import make_fx

from kernelskill.errors import ExportError
from kernelskill.exporter import arguments as args_
from kernelskill.exporter import scans
from kernelskill.exporter.aliases import Place, Placer
from kernelskill.exporter.decompositions import table
from kernelskill.exporter.dimensions import Dimensions
from kernelskill.exporter.raising import site_of_error
from kernelskill.exporter.recorded import Recorded
from kernelskill.exporter.replacing import nested_replacements
from kernelskill.exporter.sources import Names, Sites
from kernelskill.exporter.state import Snapshot


@dataclasses.dataclass
class Outcome:
    """What running the model showed, beside its graph."""

    mutated: list[int]  # arguments that are written
    spec: pytree.TreeSpec  # of the outputs
    leaves: list[Any]  # outputs in order: places of tensors, or values
    state: list[tuple[str, Place]]  # attributes that the caller is to set
    computed: int  # results of the function, those of mutations not counted


@dataclasses.dataclass
class Traced:
    """A graph: arguments in, new values of mutated arguments and results out."""

    graph: torch.fx.GraphModule
    outcome: Outcome


class _Run:
    """One run of the model as a function of flat tensors."""

    def __init__(
        self,
        module: torch.nn.Module,
        call: args_.Call,
        inputs: Sequence[tuple[int, int]],
        held: Sequence[args_.Argument],
        names: Names,
    ) -> None:
        self.module, self.call, self.names = module, call, names
        self.inputs, self.held = inputs, held
        self.outcome: Outcome | None = None

    def __call__(self, *flat: torch.Tensor) -> list[torch.Tensor]:
        with FunctionalTensorMode():
            tensors = [functional_utils.to_fun(x) for x in flat]
            return self._results(flat, tensors)

    def _results(self, flat: Sequence[Any], tensors: Sequence[Any]) -> list[Any]:
        leaves = list(self.call.leaves)
        for leaf, argument in self.inputs:
            leaves[leaf] = tensors[argument]
        args, kwargs = self.call.rebuild(leaves)
        args_.put(self.held, tensors[len(tensors) - len(self.held) :])
        before = Snapshot(self.module)
        with Sites(self.names) as sites:
            output = self._model(sites)(*args, **kwargs)
        changes = before.changes()

        values, spec = pytree.tree_flatten(output)
        outputs = [x for x in values if isinstance(x, torch.Tensor)]
        placer = Placer(tensors)
        places = placer.place(outputs + [c.value for c in changes])
        following = iter(places)
        described = [
            next(following) if isinstance(x, torch.Tensor) else x for x in values
        ]
        state = [(c.name, place) for c, place in zip(changes, following)]
        mutated = self._mutated(flat, tensors)
        self.outcome = Outcome(mutated, spec, described, state, len(placer.computed))
        computed = [tensors[i] for i in mutated] + placer.computed
        return [functional_utils.from_fun(x) for x in computed]

    def _model(self, sites: Sites) -> Callable[..., Any]:
        if isinstance(self.module, torch.fx.GraphModule):
            return Recorded(self.module, sites).run
        return self.module

    @staticmethod
    def _mutated(flat: Sequence[Any], tensors: Sequence[Any]) -> list[int]:
        mutated = []
        for i, (before, after) in enumerate(zip(flat, tensors)):
            if functional_utils.has_metadata_mutation(
                after, before, check_only_storage_mutation=False
            ):
                raise ExportError(
                    "forward changes the shape or the storage of a tensor that it was "
                    "given (by resize_, set_, t_ or the like)"
                )
            if functional_utils.has_data_mutation(after):
                mutated.append(i)
        return mutated


def _nothing(module: torch.nn.Module) -> None:
    pass


@contextlib.contextmanager
def _tracing() -> Iterator[None]:
    """PyTorch in the mood for a trace: no autograd, no fused fast paths of modules
    that hide what they compute, scans taken as they are."""

    # The package's attribute of this name is a function, not the module.
    torch_scan = importlib.import_module("torch._higher_order_ops.scan")
    fast_path = torch.backends.mha.get_fastpath_enabled()
    torch.backends.mha.set_fastpath_enabled(False)
    try:
        with (
            torch._guards.tracing(None),  # ours, should somebody be tracing
            torch.no_grad(),
            fx_traceback.preserve_node_meta(),
            nested_replacements(),
            # It looks at where in memory the weights are.
            mock.patch.object(torch.nn.RNNBase, "flatten_parameters", _nothing),
            mock.patch.object(torch_scan, "_maybe_compile_and_run_fn", scans.run),
        ):
            yield
    finally:
        torch.backends.mha.set_fastpath_enabled(fast_path)


def trace(
    module: torch.nn.Module,
    call: args_.Call,
    inputs: Sequence[tuple[int, int]],
    held: Sequence[args_.Argument],
    fakes: Sequence[torch.Tensor],
    dimensions: Dimensions,
    more: frozenset[Any],
) -> Traced:
    """Runs `module` on `fakes`, which stand for the call's tensors and for what the
    module holds, in this order. `inputs` says which leaf of the call is which,
    `more` which operations are to be decomposed beside those of the table."""
    names = Names(module)
    run = _Run(module, call, inputs, held, names)
    snapshot = Snapshot(module)
    decompositions = table(more)  # before _tracing: it brings the replacements, too
    try:
        with dimensions.mode, dimensions.tracing(), _tracing():
            graph = make_fx(
                run,
                decomposition_table=decompositions,
                tracing_mode="symbolic" if dimensions.mode.shape_env else "real",
                _allow_non_fake_inputs=True,
            )(*fakes)
    except ExportError as error:
        if error.site is None:
            raise ExportError(error.reason, site_of_error(error, names)) from error
        raise
    except Exception as error:
        raise ExportError(_reason(error), site_of_error(error, names)) from error
    finally:
        snapshot.restore()
    assert run.outcome is not None
    return Traced(graph, run.outcome)


def _reason(error: Exception) -> str:
    kind = type(error).__name__
    if kind in ("DataDependentOutputException", "GuardOnDataDependentSymNode"):
        return (
            "a Python value is taken from a tensor's data, which is not known when "
            "the model is exported"
        )
    if kind == "DynamicOutputShapeException":
        return "the size of a result depends on a tensor's data"
    if kind == "UncapturedHigherOrderOpError":
        return "control flow operators (torch.cond and the like) are not supported"
    text = str(error).strip().split("\n")[0]
    return f"forward raised {kind}: {text}" if text else f"forward raised {kind}"
