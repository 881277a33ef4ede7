#!/usr/bin/env bash
# Builds the tools and lets the agent optimise a small PyTorch model: the MLP half
# of a transformer block with a softmax head (test/Models/mlp_block.py). Then runs
# the result and compares it with PyTorch's own answers.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

tools/dev/build.sh --target ks-opt

model=test/Models/mlp_block
mkdir -p ks-out
run() {
  echo "\$ $*" >&2
  "$@"
}
run build/bin/ks-opt "$model.mlir" --agent-optimize="out-dir=ks-out" -o ks-out/mlp_block.opt.mlir
echo "the result against PyTorch's own answers:" >&2
run build/bin/ks-run ks-out/mlp_block.opt.mlir --expect "$model.npz"
reports=(ks-out/*/report.json) # named after the time: the last is this run's
echo "done; every candidate and why it was taken or not: ${reports[-1]}" >&2
