#!/usr/bin/env bash
# Installs what the project needs on Debian 12 and does nothing where all is
# there: compilers, LLVM and MLIR 22 from apt; NVIDIA's assembler (ptxas) and
# device library from $CUDA_HOME, PATH or /usr/local/cuda, and where there are
# none from pip into build/toolchain/cuda, where the tools look last.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

say() { echo "setup: $*"; }

packages=(
  # build
  cmake ninja-build ccache git python3
  clang-22 lld-22 llvm-22-dev llvm-22-tools libmlir-22-dev mlir-22-tools
  # what LLVM's and our own libraries link
  zlib1g-dev libzstd-dev libedit-dev libxml2-dev libcurl4-openssl-dev
  libsqlite3-dev nlohmann-json3-dev
  # checks
  clang-format-22 clang-tidy-22
  # the bundle
  xz-utils
)

install_packages() {
  local missing=() p
  for p in "$@"; do
    if [[ "$(dpkg-query -W -f '${db:Status-Status}' "$p" 2>/dev/null)" != installed ]]; then
      missing+=("$p")
    fi
  done
  if ((${#missing[@]} == 0)); then
    return
  fi
  say "installing with apt-get: ${missing[*]}"
  local root=()
  if ((EUID != 0)); then
    if ! command -v sudo >/dev/null; then
      say "error: not root and no sudo; install these packages by hand and run this again" >&2
      exit 1
    fi
    root=(sudo)
  fi
  "${root[@]}" apt-get update -qq
  local unknown=()
  for p in "${missing[@]}"; do
    apt-cache show "$p" >/dev/null 2>&1 || unknown+=("$p")
  done
  if ((${#unknown[@]} != 0)); then
    say "error: apt-get's sources do not have ${unknown[*]}" >&2
    say "LLVM 22 for Debian 12 is in bookworm-security; docs/Dependencies.md says more" >&2
    exit 1
  fi
  "${root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
  say "error: no apt-get here; docs/Dependencies.md lists what is needed" >&2
  exit 1
fi
install_packages "${packages[@]}"

# find_cuda FILE: the first of the CUDA folders that holds FILE, in the order in
# which the tools look.
find_cuda() {
  local home homes=("${KS_CUDA_HOME:-}" "${CUDA_HOME:-}")
  if command -v ptxas >/dev/null; then
    homes+=("$(dirname "$(dirname "$(readlink -f "$(command -v ptxas)")")")")
  fi
  homes+=(/usr/local/cuda "$PWD/build/toolchain/cuda")
  for home in "${homes[@]}"; do
    if [[ -n "$home" && -e "$home/$1" ]]; then
      echo "$home/$1"
      return
    fi
  done
}

if [[ -z "$(find_cuda bin/ptxas)" || -z "$(find_cuda nvvm/libdevice/libdevice.10.bc)" ]]; then
  # nvidia-cuda-nvcc holds ptxas, nvidia-nvvm the device library.
  wheels=('nvidia-cuda-nvcc==13.0.*' 'nvidia-nvvm==13.0.*')
  say "no ptxas or no libdevice.10.bc here; installing with pip into build/toolchain: ${wheels[*]}"
  python3 -m pip --version >/dev/null 2>&1 || install_packages python3-pip
  mkdir -p build/toolchain
  python3 -m pip install --quiet --no-deps --upgrade --disable-pip-version-check --root-user-action=ignore \
    --target build/toolchain/wheels "${wheels[@]}"
  chmod +x build/toolchain/wheels/nvidia/cu13/bin/*
  ln -sfn wheels/nvidia/cu13 build/toolchain/cuda
fi

say "LLVM $(llvm-config-22 --version), $(cmake --version | head -1), ptxas $(find_cuda bin/ptxas)"
