#!/usr/bin/env bash
# Builds everything and runs every test: the text tests by lit, the unit tests by
# ctest.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

tools/dev/build.sh
cmake --build --preset default --target check-ks
