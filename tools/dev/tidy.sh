#!/usr/bin/env bash
# Runs clang-tidy-22 over the given .cpp files, or all; wants a finished build,
# whose compile commands and generated headers it uses. A file of MLIR code takes
# half a minute.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

if (($# == 0)); then
  mapfile -t files < <(git ls-files 'lib/*.cpp' 'tools/*.cpp')
  set -- "${files[@]}"
fi
printf '%s\0' "$@" | xargs -0 -n 4 -P "$(nproc)" clang-tidy-22 -p build --quiet
echo "tidy: $# files are clean"
