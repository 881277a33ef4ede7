# Configuration of the text tests: what a test is, what it may call, and which
# features of the machine decide whether it runs.
import os
import subprocess

import lit.formats

config.name = "KernelSkill"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "Models"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.ks_binary_dir, "test")

bin_dir = os.path.join(config.ks_binary_dir, "bin")
config.environment["PATH"] = os.pathsep.join(
    [bin_dir, config.llvm_tools_dir, config.environment.get("PATH", "")]
)
for name in ("CUDA_HOME", "CUDA_VISIBLE_DEVICES", "LD_LIBRARY_PATH", "PYTHONPATH"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
# Tests that move the plugin about still find ptxas where only setup.sh brought it.
toolchain = os.path.join(config.ks_binary_dir, "toolchain", "cuda")
if "CUDA_HOME" not in config.environment and os.path.isdir(toolchain):
    config.environment["CUDA_HOME"] = toolchain
# What a test keeps, it keeps in its own folder: no test reads the user's memory.
config.environment["XDG_CACHE_HOME"] = os.path.join(config.test_exec_root, "cache")
config.environment["NO_COLOR"] = "1"

# What lies beside the checkout: models and cases that are not part of the project.
shared = os.environ.get("KS_SHARED", os.path.join(config.ks_source_dir, "..", "shared"))
shared = os.path.realpath(shared)


def tool(name):
    return os.path.join(bin_dir, name)


def answers(command):
    """True if the command ends well and prints something."""
    try:
        done = subprocess.run(
            command, capture_output=True, timeout=30, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0 and bool(done.stdout.strip())


config.substitutions += [
    ("%ks-opt", tool("ks-opt")),
    ("%ks-run", tool("ks-run")),
    ("%ks-worker", tool("ks-worker")),
    ("%mlir-opt", os.path.join(config.llvm_tools_dir, "mlir-opt")),
    ("%plugin", os.path.join(config.ks_binary_dir, "lib", "libKSPlugin.so")),
    ("%shared", shared),
    ("%models", os.path.join(config.test_source_root, "Models")),
    ("%python", config.python),
    ("%cc", config.cc),
    ("%source", config.ks_source_dir),
    ("%build", config.ks_binary_dir),
]

# A Python with PyTorch and torch-mlir: setup.sh --torch makes one.
torch_python = os.environ.get(
    "KS_TORCH_PYTHON",
    os.path.join(config.ks_source_dir, "build", "torch", "bin", "python"),
)
config.substitutions.append(("%bin-torch", os.path.dirname(torch_python)))
config.substitutions.append(
    (
        "%torch",
        f"env PYTHONPATH={config.ks_source_dir}/tools/ks-torch"
        f" KS_OPT={tool('ks-opt')} KS_RUN={tool('ks-run')}"
        f" KS_CACHE={config.test_exec_root}/Torch/cache {torch_python}",
    )
)

# Features, for REQUIRES and UNSUPPORTED.
if os.path.isdir(os.path.join(shared, "cases")):
    config.available_features.add("shared")
else:
    lit_config.note("no ../shared: tests that need its models and cases are skipped")
for name in ("ks-opt", "ks-run"):
    if os.path.exists(tool(name)):
        config.available_features.add(name)
if os.path.exists(os.path.join(config.ks_binary_dir, "lib", "libKSPlugin.so")):
    config.available_features.add("plugin")
if answers([torch_python, "-c", "import torch_mlir; print(1)"]):
    config.available_features.add("torch")
else:
    lit_config.note("no PyTorch: tests of the Python package are skipped")
if answers(["nvidia-smi", "-L"]):
    config.available_features.add("gpu")
if hasattr(os, "geteuid") and os.geteuid() == 0:
    config.available_features.add("root")
try:  # a chroot may have no terminals
    for handle in os.openpty():
        os.close(handle)
    config.available_features.add("pty")
except OSError:
    pass

# Tests of one device run one after another: timings, and memory of the card.
lit_config.parallelism_groups["device"] = 1
