#!/usr/bin/env bash
# Installs what the project needs on Debian 12 and does nothing where all is
# there: compilers, LLVM and MLIR 22 from apt; NVIDIA's assembler (ptxas) and
# device library from $CUDA_HOME, PATH or /usr/local/cuda, and where there are
# none from pip into build/toolchain/cuda, where the tools look last.
#
#   setup.sh           what building and testing the tools needs
#   setup.sh --torch   also PyTorch and torch-mlir, in a virtual environment of
#                      their own, build/torch: 2 GB, for the Python package and
#                      its tests
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

say() { echo "setup: $*"; }

with_torch=
for argument in "$@"; do
  case "$argument" in
  --torch) with_torch=1 ;;
  *)
    say "error: unknown option '$argument'" >&2
    exit 1
    ;;
  esac
done

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

# PyTorch's wheel brings CUDA's libraries as packages of several GB. Where a CUDA
# toolkit is installed they are here already, but for three.
torch_packages=(
  torch==2.11.0 torch-mlir==20261001
  numpy==2.4.6 sympy==1.14.0 mpmath==1.4.1 networkx==3.6.1 jinja2==3.1.6
  markupsafe==3.0.4 fsspec==2026.9.0 filelock==4.3.1 typing_extensions==4.16.0
  ml_dtypes==0.6.0 packaging==26.4 safetensors==0.8.0 einops==0.8.2
  nvidia-cufile==1.20.0.107 nvidia-cusparselt-cu13==0.10.0 nvidia-nvshmem-cu13==3.8.0
)

install_torch() {
  local python=build/torch/bin/python
  if [[ "$(cat build/torch/packages 2>/dev/null)" == "${torch_packages[*]}" ]]; then
    return
  fi
  if [[ "$(python3 -c 'import sys; print(*sys.version_info[:2], sep=".")')" != 3.11 ]]; then
    say "error: torch-mlir's wheel is for Python 3.11, and python3 is $(python3 --version)" >&2
    exit 1
  fi
  say "installing PyTorch and torch-mlir with pip into build/torch"
  python3 -c 'import ensurepip' 2>/dev/null || install_packages python3-venv
  mkdir -p build
  python3 -m venv --clear build/torch
  "$python" -m pip install --quiet --disable-pip-version-check --no-deps "${torch_packages[@]}"
  if ! "$python" -c 'import torch' 2>/dev/null; then
    say "no CUDA toolkit whose libraries PyTorch finds; installing them too"
    "$python" -m pip install --quiet --disable-pip-version-check torch==2.11.0
  fi
  "$python" -c 'import torch, torch_mlir.fx'
  # The extension for tensors is compiled at first use.
  command -v g++ >/dev/null || install_packages g++
  echo "${torch_packages[*]}" >build/torch/packages
}
if [[ -n "$with_torch" ]]; then
  install_torch
  say "$(build/torch/bin/python -c 'import torch; print("PyTorch", torch.__version__)') in build/torch"
fi
