#!/usr/bin/env python3
"""Writes the models of this folder as MLIR, with PyTorch's answers beside them.

    python3 export.py [NAME...]

wants torch 2.11, torch-mlir, numpy and safetensors (docs/Developing.md). Each
model becomes NAME.mlir (linalg on tensors, with source locations; parameters and
buffers are arguments after the inputs) and NAME.npz, or NAME.safetensors where a
type is bfloat16: arg0.. the arguments, out0.. the answers computed in float64
from the same values (complex ones rounded to complex64), torch0.. what PyTorch
answers in the model's type.
"""

import os
import re
import sys
import warnings

import numpy as np
import torch
from torch_mlir import fx

import cases
import mlp_block

HERE = os.path.dirname(os.path.abspath(__file__))
WRAPPER = re.compile(r' *File "[^"]*export\.py", line .*\n(?:    .*\n)?')


class Flat(torch.nn.Module):
    """A module whose parameters and buffers are arguments after its inputs."""

    def __init__(self, module, inputs):
        super().__init__()
        self.__dict__["module"] = module
        self.inputs = inputs
        self.__dict__["names"] = [n for n, _ in module.named_parameters()] + [
            n for n, _ in module.named_buffers()
        ]

    def forward(self, *args):
        weights = dict(zip(self.names, args[self.inputs :]))
        return torch.func.functional_call(self.module, weights, args[: self.inputs])


def wide(x):
    """The same values in double precision; integers and bools as they are."""
    if x.is_complex():
        return x.to(torch.complex128)
    return x.double() if x.is_floating_point() else x


def outputs(module, args):
    with torch.no_grad():
        out = module(*args)
    return list(out) if isinstance(out, (tuple, list)) else [out]


def relative(text):
    """Locations as a reader knows them: this folder's files, and torch's."""
    text = text.replace(HERE + os.sep, "")
    return re.sub(r'"[^"]*/site-packages/', '"', text)


def export(path, make, inputs, dtype):
    module = make().eval()
    with torch.no_grad():  # norms start as identities: make their weights tell
        for _, weight in module.named_parameters():
            if weight.dim() <= 1:
                weight.add_(0.1 * torch.randn(weight.shape))
        for name, buffer in module.named_buffers():
            if name.endswith("running_var"):
                buffer.add_(torch.rand(buffer.shape))
            elif name.endswith("running_mean"):
                buffer.add_(0.1 * torch.randn(buffer.shape))
    if dtype is not None:
        module = module.to(dtype)
    for weight in module.parameters():
        weight.requires_grad_(False)
    args = list(inputs) + list(module.parameters()) + list(module.buffers())
    flat = Flat(module, len(inputs))

    with torch.no_grad():
        program = torch.export.export(flat, tuple(args), strict=False)
    for node in program.graph.nodes:  # the model is the outermost frame, not Flat
        if trace := node.meta.get("stack_trace"):
            node.meta["stack_trace"] = WRAPPER.sub("", trace)
    mlir = fx.export_and_import(
        program, output_type="linalg-on-tensors", func_name="main"
    )
    # Each path loses its folder, so that the text is the same wherever it is made.
    with open(path + ".mlir", "w") as file:
        file.write(relative(mlir.operation.get_asm(enable_debug_info=True)) + "\n")

    arrays = {f"arg{i}": x for i, x in enumerate(args)}
    arrays |= {f"out{i}": x for i, x in enumerate(outputs(flat, map(wide, args)))}
    arrays |= {f"torch{i}": x for i, x in enumerate(outputs(flat, args))}
    arrays = {k: x.detach().resolve_conj().contiguous() for k, x in arrays.items()}
    for name, x in arrays.items():  # the tools' files know complex64 only
        if x.dtype == torch.complex128:
            arrays[name] = x.to(torch.complex64)
    if any(x.dtype == torch.bfloat16 for x in arrays.values()):
        from safetensors.torch import save_file

        save_file({k: x.clone() for k, x in arrays.items()}, path + ".safetensors")
    else:
        np.savez_compressed(path + ".npz", **{k: x.numpy() for k, x in arrays.items()})


def main():
    warnings.filterwarnings("ignore")
    wanted = sys.argv[1:]
    torch.manual_seed(0)
    every = {
        "mlp_block": (mlp_block.MlpBlock, mlp_block.inputs(), None),
        **{f"cases/{name}": case for name, case in cases.cases().items()},
    }
    failed = 0
    for name, (make, inputs, dtype) in every.items():
        if wanted and os.path.basename(name) not in wanted:
            continue
        torch.manual_seed(1)
        try:
            export(os.path.join(HERE, name), make, inputs, dtype)
            print(name)
        except Exception as error:  # one that does not export leaves the others be
            failed += 1
            print(f"{name}: {type(error).__name__}: {str(error)[:600]}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
