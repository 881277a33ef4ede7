#!/usr/bin/env bash
# Formats every C++ file with clang-format-22; with --check changes nothing and
# fails where a file is not formatted.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

mapfile -t files < <(git ls-files --cached --others --exclude-standard \
  'lib/*.h' 'lib/*.cpp' 'include/*.h' 'tools/*.h' 'tools/*.cpp' 'test/*.h' 'test/*.cpp')
if [[ "${1:-}" == --check ]]; then
  clang-format-22 --dry-run -Werror "${files[@]}"
  echo "format: ${#files[@]} files are formatted"
else
  clang-format-22 -i "${files[@]}"
fi
