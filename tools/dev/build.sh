#!/usr/bin/env bash
# Configures and builds the tools and the plugin in build/, after setup.sh.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

tools/dev/setup.sh
cmake --preset default >/dev/null
cmake --build --preset default "$@"
