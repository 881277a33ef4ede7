"""The functions of scans: a counted loop around a call of the body.

    scf.for %t = 0 to N, carrying the values and what is stacked:
      slice step t of each scanned tensor, call the body, insert step t of each result

The form is the one that ks-normalize takes: constant bounds, slices and insertions
along the first dimension only.
"""

from __future__ import annotations

from torch_mlir import ir

from kernelskill.errors import ExportError
from kernelskill.exporter.importer import Loop


def _names(stem: str, count: int) -> list[str]:
    return [f"%{stem}{i}" for i in range(count)]


def _list(values: list[str], types: list[str], where: str) -> str:
    return ", ".join(f"{v}: {t} {where}" for v, t in zip(values, types))


def _slice(step: ir.RankedTensorType) -> tuple[str, str]:
    """Offsets, sizes and strides of one step of a stack of `step`s, and its type."""
    rank = step.rank
    zeros, ones = ["0"] * rank, ["1"] * (rank + 1)
    sizes = ["1", *map(str, step.shape)]
    return (
        f"[{', '.join(['%t', *zeros])}] [{', '.join(sizes)}] [{', '.join(ones)}]",
        str(step),
    )


def _steps(loop: Loop, stacks: list[ir.Type]) -> int:
    if not stacks:
        raise ExportError(f"the scan of '{loop.body}' scans nothing")
    count = ir.RankedTensorType(stacks[0]).shape[0]
    if count == ir.ShapedType.get_dynamic_size():
        raise ExportError("a scan over a dynamic dimension is not supported")
    return count


def define(
    loop: Loop, declared: ir.FunctionType, body: ir.FunctionType, location: str
) -> str:
    """The text of the function, to stand where it was declared; `location` is
    that of all of it, `loc(...)`."""
    inputs, outputs = list(map(str, declared.inputs)), list(map(str, declared.results))
    carried, scanned = loop.carried, loop.scanned
    stacked = outputs[carried:]
    steps = _steps(loop, list(declared.inputs)[carried : carried + scanned])
    in_names = _names("in", len(inputs))
    into = _names("empty", len(stacked))
    held, filled = _names("held", carried), _names("filled", len(stacked))

    lines = [f"func.func private @{loop.name}({_list(in_names, inputs, location)})"]
    lines[0] += f" -> ({', '.join(outputs)}) {{"
    lines += [
        "  %c0 = arith.constant 0 : index",
        "  %c1 = arith.constant 1 : index",
        f"  %n = arith.constant {steps} : index",
    ]
    lines += [f"  {name} = tensor.empty() : {t}" for name, t in zip(into, stacked)]
    pairs = zip(held + filled, in_names[:carried] + into)
    start = ", ".join(f"{a} = {b}" for a, b in pairs)
    lines += [
        f"  %r:{len(outputs)} = scf.for %t = %c0 to %n step %c1",
        f"      iter_args({start}) -> ({', '.join(outputs)}) {{",
    ]
    step_in = list(map(ir.RankedTensorType, body.inputs))
    step_out = list(map(ir.RankedTensorType, body.results))
    steps_in = _names("step", scanned)
    for i, name in enumerate(steps_in):
        where, kind = _slice(step_in[carried + i])
        lines += [
            f"    {name} = tensor.extract_slice {in_names[carried + i]}{where}"
            f" : {inputs[carried + i]} to {kind}"
        ]
    operands = held + steps_in + in_names[carried + scanned :]
    body_in, body_out = list(map(str, body.inputs)), list(map(str, body.results))
    lines += [
        f"    %b:{len(body_out)} = func.call @{loop.body}({', '.join(operands)})"
        f" : ({', '.join(body_in)}) -> ({', '.join(body_out)})"
    ]
    next_ = _names("next", len(stacked))
    for i, name in enumerate(next_):
        where, kind = _slice(step_out[carried + i])
        lines += [
            f"    {name} = tensor.insert_slice %b#{carried + i} into {filled[i]}{where}"
            f" : {kind} into {stacked[i]}"
        ]
    yielded = [f"%b#{i}" for i in range(carried)] + next_
    lines += [
        f"    scf.yield {', '.join(yielded)} : {', '.join(outputs)}",
        "  }",
        f"  return {', '.join(f'%r#{i}' for i in range(len(outputs)))}"
        f" : {', '.join(outputs)}",
        "}",
    ]
    return "\n".join(
        line if line.endswith(("{", "step %c1")) else f"{line} {location}"
        for line in lines
    )
