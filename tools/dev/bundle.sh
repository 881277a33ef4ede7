#!/usr/bin/env bash
# Makes build-bundle/kernelskill.tar.xz: the tool for machines without LLVM, in
# one archive of at most 30 MB. It holds the statically linked ks-opt (ks-run and
# ks-worker are the same program), the runtime library with its header, CUDA's
# device library and the skills, and wants no more than the C library; ptxas is
# looked for where it is unpacked.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

limit=$((30 * 1000 * 1000))
out=$PWD/build-bundle/kernelskill.tar.xz
stage=$PWD/build-bundle/stage/kernelskill

# --no-setup: what the build needs is known to be there.
if [[ "${1:-}" != --no-setup ]]; then
  tools/dev/setup.sh
fi

cmake --preset bundle >/dev/null
cmake --build --preset bundle

libdevice=
for home in "${CUDA_HOME:-}" /usr/local/cuda build/toolchain/cuda; do
  if [[ -n "$home" && -e "$home/nvvm/libdevice/libdevice.10.bc" ]]; then
    libdevice=$home/nvvm/libdevice/libdevice.10.bc
    break
  fi
done
if [[ -z "$libdevice" ]]; then
  echo "bundle: error: no libdevice.10.bc in \$CUDA_HOME, /usr/local/cuda or build/toolchain/cuda" >&2
  exit 1
fi

rm -rf "$stage"
mkdir -p "$stage"/{bin,lib,include/ks/Runtime,toolchain/cuda/nvvm/libdevice}
strip=$(llvm-config-22 --bindir)/llvm-strip
"$strip" -o "$stage/bin/ks-opt" build-bundle/bin/ks-opt
"$strip" -o "$stage/lib/libKSRuntime.so" build-bundle/lib/libKSRuntime.so
cp include/ks/Runtime/KSRuntime.h "$stage/include/ks/Runtime/"
git ls-files -z tools/ks-torch | xargs -0 cp --parents -t "$stage"
ln -s ks-opt "$stage/bin/ks-run"
ln -s ks-opt "$stage/bin/ks-worker"
cp "$libdevice" "$stage/toolchain/cuda/nvvm/libdevice/"
cp -r README.md LICENSE docs "$stage/"
if [[ -d skills ]]; then
  cp -r skills "$stage/"
fi

# Nothing but the C library may be asked for where it runs.
for file in bin/ks-opt lib/libKSRuntime.so; do
  foreign=$(ldd "$stage/$file" | awk '{print $1}' |
    grep -vE '^(linux-vdso\.so|lib(c|m|dl|rt|pthread)\.so|/lib64/ld-linux)' || true)
  if [[ -n "$foreign" ]]; then
    echo "bundle: error: $file links more than the C library:" $foreign >&2
    exit 1
  fi
done
env -i "$stage/bin/ks-opt" --version >/dev/null

tar -C "$stage/.." --sort=name --owner=0 --group=0 --mtime=@0 -cf - kernelskill |
  xz -9 -T0 --block-size=48MiB >"$out"
size=$(stat -c %s "$out")
echo "bundle: $out, $((size / 1000)) kB; ks-opt $(($(stat -c %s "$stage/bin/ks-opt") / 1000)) kB unpacked"
if ((size > limit)); then
  echo "bundle: error: more than $((limit / 1000)) kB" >&2
  exit 1
fi
