#!/usr/bin/env python3
"""What a call costs on the host: kernelskill beside eager PyTorch and torch.compile.

  call-cost.py DIR --make    export and compile the models (needs torch-mlir)
  call-cost.py DIR           time their calls on this machine's GPU

A figure is the time to enqueue a call, in microseconds: the median of 60 bursts of 20
calls, with the GPU idle before each. Prints a line for each way to call `x + y`, and
for chains of products with tanh, a kernel each; the last line is what one kernel more
costs. The exit code is 1 if a figure misses its limit: one kernel at most 2 us more
than torch.add, and 2 us for each further kernel.
"""

import argparse
import statistics
import sys
import time
import warnings
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "ks-torch"))

import kernelskill  # noqa: E402
from kernelskill.optimizing import CompiledModel  # noqa: E402
from kernelskill.program import Package  # noqa: E402

LENGTHS = (1, 2, 4, 8, 16, 32)
LIMIT = 2.0


class Add(torch.nn.Module):
    def forward(self, x, y):
        return x + y


class Chain(torch.nn.Module):
    def __init__(self, length):
        super().__init__()
        torch.manual_seed(0)
        weights = [torch.nn.Parameter(torch.randn(16, 16) / 4) for _ in range(length)]
        self.weights = torch.nn.ParameterList(weights)

    def forward(self, x):
        for weight in self.weights:
            x = torch.tanh(x @ weight)
        return x


def make(folder):
    folder.mkdir(parents=True, exist_ok=True)
    pair, x = (torch.randn(1024), torch.randn(1024)), torch.randn(16, 16)
    kernelskill.optimize(Add(), pair, budget=0, package=folder / "add.ksp")
    for length in LENGTHS:
        package = folder / f"chain{length}.ksp"
        kernelskill.optimize(Chain(length), (x,), budget=0, package=package)


def cost(function, calls=20, bursts=60):
    for _ in range(calls):
        function()
    times = []
    for _ in range(bursts):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        for _ in range(calls):
            function()
        times.append((time.perf_counter() - begin) / calls * 1e6)
    torch.cuda.synchronize()
    return statistics.median(times)


def row(name, function):
    microseconds = cost(function)
    print(f"{name:52} {microseconds:8.2f} us", flush=True)
    return microseconds


def one_kernel(folder, device):
    x, y = torch.randn(1024, device=device), torch.randn(1024, device=device)
    compiled = CompiledModel(Add(), Package(folder / "add.ksp"), device, {})
    torch.testing.assert_close(compiled(x, y), x + y)
    program = kernelskill.load(folder / "add.ksp", device)
    operator = kernelskill.library_op("kernelskill_cost::add", folder / "add.ksp")
    eager = row("torch.add(x, y)", lambda: torch.add(x, y))
    ours = row("x + y: kernelskill.optimize", lambda: compiled(x, y))
    row("x + y: kernelskill.load", lambda: program(x, y))
    row("x + y: operator of torch.library", lambda: operator(x, y))
    graph = torch.compile(Add(), backend="eager")
    row('x + y: torch.compile(backend="eager")', lambda: graph(x, y))
    return ours - eager


def further_kernels(folder, device):
    x, costs = torch.randn(16, 16, device=device), {}
    for length in LENGTHS:
        model = Chain(length).to(device)
        package = Package(folder / f"chain{length}.ksp")
        compiled = CompiledModel(model, package, device, {})
        torch.testing.assert_close(compiled(x), model(x), rtol=1e-4, atol=1e-4)
        kernels = package.variants[0].launches
        costs[kernels] = row(f"chain, {kernels} kernels", lambda: compiled(x))
        row(f"chain, {kernels} kernels: eager", lambda: model(x))
    return (costs[max(costs)] - costs[min(costs)]) / (max(costs) - min(costs))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--make", action="store_true")
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    if options.make:
        make(options.folder)
        return 0
    device = torch.device("cuda", torch.cuda.current_device())
    with torch.no_grad():
        more = one_kernel(options.folder, device)
        each = further_kernels(options.folder, device)
    print(f"one kernel: torch.add {more:+.2f} us; each further kernel: {each:.2f} us")
    return 1 if max(more, each) > LIMIT else 0


if __name__ == "__main__":
    sys.exit(main())
