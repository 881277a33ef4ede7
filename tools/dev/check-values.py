#!/usr/bin/env python3
"""Compare compiled models with PyTorch on this machine's GPU, at full size.

  check-values.py --packages DIR TASK=SPEC...

A task is a name, whose package is DIR/<name>.ksp; SPEC is what `kernelskill export`
takes: FILE.py in KernelBench's form, or FILE.py:FUNCTION. Each task runs in a process
of its own. The model is built on the GPU with random parameters and inputs; its answer
in float64 is the reference, PyTorch's own float32 answer (TF32 off) the measure:

  right   the compiled model's largest error is at most four times PyTorch's own, or
          below one part in 2^19 of the result's largest magnitude; what is not finite
          is so in the same places; integers are equal
  sample  as above, but float64 does not fit the memory: compared with PyTorch's float32,
          within 2^-16 of the largest magnitude
  unsound PyTorch's answer differs from its own second answer: nothing can be compared
  WRONG, FAILED, SLOW (no answer within --timeout)

One line a task, a summary at the end; the exit code is 1 if a task is WRONG, FAILED or
SLOW. `--tsv FILE` keeps the rows.
"""

import argparse
import copy
import multiprocessing
import sys
import time
import traceback
import warnings
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "ks-torch"))

from kernelskill.exporter.loading import maker  # noqa: E402
from kernelskill.optimizing import CompiledModel  # noqa: E402
from kernelskill.program import Package  # noqa: E402

import torch.utils._pytree as pytree  # noqa: E402

DEVICE = torch.device("cuda", 0)


def to_device(value, dtype=None):
    if not isinstance(value, torch.Tensor):
        return value
    value = value.to(DEVICE)
    return value.to(dtype) if dtype and value.is_floating_point() else value


def answer(model, args, kwargs):
    """The tensors of the model's result, copied, and the buffers that it leaves."""
    torch.manual_seed(1)
    with torch.no_grad():
        result = model(*args, **kwargs)
    leaves = [x.clone() for x in pytree.tree_leaves(result) if isinstance(x, torch.Tensor)]
    inner = model.model if isinstance(model, CompiledModel) else model
    return leaves + [b.clone() for b in inner.buffers()]


def parts(*tensors):
    """Slices of the flattened tensors, small enough to compute with."""
    flat = [tensor.reshape(-1) for tensor in tensors]
    for begin in range(0, flat[0].numel(), 1 << 26):
        yield [tensor[begin : begin + (1 << 26)] for tensor in flat]


def error(got, reference):
    """Largest error where the reference is finite; inf where one is finite alone."""
    if not (reference.is_floating_point() or reference.is_complex()):
        return 0.0 if torch.equal(got, reference) else float("inf")
    worst = 0.0
    for a, r in parts(got, reference):
        r = r.to(torch.complex128 if r.is_complex() else torch.float64)
        a = a.to(r.dtype)
        difference = (a - r).abs()
        same = (a == r) | (a.isnan() & r.isnan())  # infinities and NaN
        difference = torch.where(same, 0.0, difference).nan_to_num(float("inf"))
        worst = max(worst, difference.max().item())
    return worst


def magnitude(tensor):
    if not (tensor.is_floating_point() or tensor.is_complex()):
        return 0.0
    largest = 0.0
    for (part,) in parts(tensor):
        finite = torch.where(torch.isfinite(part), part, 0).abs().max().item()
        largest = max(largest, finite)
    return largest


def compare(ours, eager, reference):
    """(verdict, the worst ratio of our error to PyTorch's, a text)."""
    if len(ours) != len(eager):
        return "WRONG", 0.0, f"{len(ours)} results, not {len(eager)}"
    worst, verdict, text = 0.0, "right", ""
    for i, (a, b) in enumerate(zip(ours, eager)):
        if a.shape != b.shape or a.dtype != b.dtype:
            return "WRONG", 0.0, f"result {i} is {a.dtype}{list(a.shape)}"
        if reference is None:
            mine, theirs, scale = error(a, b), 0.0, magnitude(b)
            bound, verdict = scale * 2.0**-16, "sample"
        else:
            r = reference[i]
            mine, theirs, scale = error(a, r), error(b, r), magnitude(r)
            bound = max(4 * theirs, scale * 2.0**-19)
        if a.dtype in (torch.float16, torch.bfloat16):
            bound = max(bound, scale * torch.finfo(a.dtype).eps)
        worst = max(worst, mine / theirs if theirs else 0.0)
        if not mine <= bound:
            return "WRONG", worst, f"result {i}: error {mine:.3g}, PyTorch's {theirs:.3g}, " \
                f"largest magnitude {scale:.3g}"
        text = text or f"error {mine:.2g}, PyTorch's {theirs:.2g}"
    return verdict, worst, text


def in_float64(model, args, kwargs):
    """The reference, or None where it does not fit."""
    try:
        model = copy.deepcopy(model).double()
        args, kwargs = pytree.tree_map(lambda x: to_device(x, torch.float64), (args, kwargs))
        for module in model.modules():
            for name, value in vars(module).items():
                if isinstance(value, torch.Tensor):
                    setattr(module, name, to_device(value, torch.float64))
        return answer(model, args, kwargs)
    except (torch.OutOfMemoryError, RuntimeError, NotImplementedError) as reason:
        print("float64:", str(reason).splitlines()[0], file=sys.stderr)
        torch.cuda.empty_cache()
        return None


def check(package, spec):
    warnings.filterwarnings("ignore")
    torch.backends.cudnn.allow_tf32 = False
    torch.backends.cuda.matmul.allow_tf32 = False
    make = maker(spec)
    torch.manual_seed(0)
    with DEVICE:
        model, args, kwargs = make()
    model = model.to(DEVICE)
    args, kwargs = pytree.tree_map(to_device, (args, kwargs))
    eager = answer(copy.deepcopy(model), args, kwargs)
    torch.cuda.empty_cache()
    reference = in_float64(model, args, kwargs)
    pristine = copy.deepcopy(model)
    torch.cuda.empty_cache()
    compiled = CompiledModel(model, Package(package), DEVICE, {})
    torch.cuda.synchronize()
    begin = time.monotonic()
    ours = answer(compiled, args, kwargs)
    torch.cuda.synchronize()
    seconds = time.monotonic() - begin
    verdict, ratio, text = compare(ours, eager, reference)
    if verdict == "WRONG":
        del ours
        again = answer(copy.deepcopy(pristine), args, kwargs)
        twice, _, how = compare(again, eager, reference)
        if twice == "WRONG":
            verdict, text = "unsound", f"PyTorch against itself: {how}"
        elif all(not torch.isfinite(x).all() for x in eager if x.is_floating_point()):
            text = "not finite in PyTorch; " + text
    compiled.check()
    return verdict, seconds, ratio, text


def child(connection, package, spec):
    try:
        connection.send(check(package, spec))
    except BaseException as reason:  # It goes into the table.
        traceback.print_exc()
        first = (str(reason).splitlines() or [""])[0]
        connection.send(("FAILED", 0.0, 0.0, f"{type(reason).__name__}: {first}"[:300]))


class Task:
    def __init__(self, name, package, spec, timeout):
        context = multiprocessing.get_context("fork")
        self.name, self.begin, self.timeout = name, time.monotonic(), timeout
        self.connection, other = context.Pipe()
        self.process = context.Process(target=child, args=(other, package, spec))
        self.process.start()
        other.close()

    def row(self):
        """The result, or None while there is none."""
        if self.connection.poll():
            try:
                row = self.connection.recv()
            except EOFError:
                row = ("FAILED", 0.0, 0.0, "the process died")
        elif time.monotonic() - self.begin > self.timeout:
            self.process.kill()
            row = ("SLOW", self.timeout, 0.0, "")
        else:
            return None
        self.process.join(20)
        if self.process.is_alive():
            self.process.kill()
        return row


def run_all(tasks, jobs, timeout, report):
    waiting, running, rows = list(tasks), [], {}
    while waiting or running:
        while waiting and len(running) < jobs:
            running.append(Task(*waiting.pop(0), timeout))
        for task in list(running):
            row = task.row()
            if row is not None:
                running.remove(task)
                rows[task.name] = row
                report(task.name, row)
        time.sleep(0.02)
    return rows


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tasks", nargs="+", metavar="TASK=SPEC")
    parser.add_argument("--packages", type=Path, required=True, metavar="DIR")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=120, metavar="S")
    parser.add_argument("--tsv", type=Path)
    options = parser.parse_args()
    tasks = []
    for text in options.tasks:
        name, _, spec = text.partition("=")
        tasks.append((name, str(options.packages / f"{name}.ksp"), spec))
    begin = time.monotonic()

    def report(name, row):
        verdict, seconds, ratio, text = row
        print(f"{verdict:7} {name:58} {seconds:7.2f} s  x{ratio:<6.2f} {text}", flush=True)

    rows = run_all(tasks, options.jobs, options.timeout, report)
    # What ran out of memory beside others may fit alone.
    again = [t for t in tasks if rows[t[0]][0] == "FAILED" and "memory" in rows[t[0]][3].lower()]
    rows.update(run_all(again, 1, options.timeout, report))
    counts = {}
    for verdict, *_ in rows.values():
        counts[verdict] = counts.get(verdict, 0) + 1
    if options.tsv:
        lines = ["\t".join(map(str, (n, *rows[n]))) for n, *_ in tasks]
        options.tsv.write_text("\n".join(["task\tverdict\tseconds\tratio\ttext", *lines, ""]))
    said = ", ".join(f"{n} {v}" for v, n in sorted(counts.items()))
    print(f"{len(rows)} tasks in {time.monotonic() - begin:.0f} s: {said}")
    return 1 if set(counts) & {"WRONG", "FAILED", "SLOW"} else 0


if __name__ == "__main__":
    sys.exit(main())
