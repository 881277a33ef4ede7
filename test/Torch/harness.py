"""What the tests of the exporter share: export a model, run the IR on the CPU, and
compare with what PyTorch answers in float64.

Run by lit with $KS_RUN and, in PYTHONPATH, the package.
"""

import copy
import os
import subprocess
import tempfile
import unittest
import warnings
from pathlib import Path

import kernelskill
import numpy
import torch
import torch.utils._pytree as pytree
from safetensors.torch import save_file

warnings.filterwarnings("ignore")
RUN = os.environ.get("KS_RUN", "ks-run")


def wide(x):
    """Floats in float64; what is no tensor as it is."""
    if isinstance(x, torch.Tensor) and x.is_floating_point():
        return x.double()
    return x


def tensors(tree):
    return [x for x in pytree.tree_leaves(tree) if isinstance(x, torch.Tensor)]


def attribute(module, name):
    """What a dotted name names: attributes, entries of lists and dictionaries."""
    value = module
    for part in name.split("."):
        if isinstance(value, list):
            value = value[int(part)]
        elif isinstance(value, dict):
            value = value[part]
        else:
            value = getattr(value, part)
    return value


class Case(unittest.TestCase):
    """A test with `check`."""

    SEED = 11

    def check(self, module, args, kwargs=None, exported=None, double=True):
        """Exports, runs and compares; returns the export. `double`: with float64,
        which models that draw random numbers or set types themselves cannot do."""
        kwargs = kwargs or {}
        eager = copy.deepcopy(module)
        before = pytree.tree_map(
            lambda x: x.clone() if isinstance(x, torch.Tensor) else x, (args, kwargs)
        )
        exported = exported or kernelskill.export(module, args, kwargs)
        torch.manual_seed(self.SEED)
        bound = [t.detach().clone() for t in exported.bind(*before)]
        double = double and not exported.signature["random"]
        if double:
            eager = eager.double()
        own_args, own_kwargs = pytree.tree_map(wide, before) if double else before
        torch.manual_seed(self.SEED)
        with torch.no_grad():
            answer = eager(*own_args, **own_kwargs)
        wanted = tensors(answer)
        wanted += [
            attribute(eager, s["attribute"]) for s in exported.signature["state"]
        ]
        self.assertEqual(len(wanted), len(exported.results))
        outputs = {}
        for place, value in zip(exported.results, wanted):
            if place.of == "result":
                base = value if place.view is None else value._base
                outputs[f"out{place.index}"] = base
        after = self.after(exported, eager, own_args, own_kwargs)
        for i, argument in enumerate(exported.mutations):
            outputs[f"out{i}"] = after[argument]
        # Exact results are exact in the narrower type, not in float64's arithmetic.
        if not any(x.dtype is torch.float64 for x in bound):
            for name, value in outputs.items():
                if value.dtype is torch.float64:
                    outputs[name] = value.float()
        if outputs:
            self.run_(exported, bound, outputs)
        return exported

    @staticmethod
    def after(exported, eager, args, kwargs):
        """What @main's arguments hold in the eager model after the call."""
        given = iter(tensors((args, kwargs)))
        held = []
        for name, kind in exported.arguments:
            if kind == "input":
                held.append(next(given))
            else:
                own = kind != "random" and not name.startswith("constant.")
                held.append(attribute(eager, name) if own else None)
        return held

    def run_(self, exported, arguments, outputs):
        """Runs the IR and lets ks-run compare."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "model.mlir")
            exported.save(path, weights=False)
            values = {f"arg{i}": x for i, x in enumerate(arguments)} | outputs
            values = {k: x.detach().contiguous().clone() for k, x in values.items()}
            if any(x.dtype == torch.bfloat16 for x in values.values()):
                data = Path(folder, "data.safetensors")
                save_file(values, data)
            else:
                data = Path(folder, "data.npz")
                numpy.savez(data, **{k: x.numpy() for k, x in values.items()})
            command = [RUN, path, "--expect", data, "--device", "host"]
            done = subprocess.run(command, capture_output=True, text=True, timeout=300)
            if os.environ.get("KS_SHOW"):
                print(self.id(), done.stdout, done.stderr)
            if done.returncode:
                keep = Path(tempfile.gettempdir(), "kernelskill-failed.mlir")
                keep.write_text(exported.mlir)
                self.fail(f"{done.stdout}\n{done.stderr}\nthe IR is kept in {keep}")
