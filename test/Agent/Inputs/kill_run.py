"""kill_run.py KS_OPT MODULE OUT_DIR: kills a run while its second candidate hangs."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time

tool, module, out = sys.argv[1:]
options = f"device=host budget=3 trial-seconds=60 out-dir={out}"
os.makedirs(out, exist_ok=True)
run = subprocess.Popen(
    [tool, module, f"--agent-optimize={options}", "-o", f"{out}/out.mlir"],
    env={**os.environ, "KS_TEST_FAULT": "hang@block_size = 128"},
    stderr=subprocess.DEVNULL,
)


def events():
    for path in pathlib.Path(out).glob("*/events.jsonl"):
        return [json.loads(line) for line in path.read_text().splitlines()]
    return []


deadline = time.time() + 60
while not any(e["event"] == "commit" for e in events()):
    assert time.time() < deadline and run.poll() is None, "no commit was seen"
    time.sleep(0.05)
time.sleep(0.5)  # The second candidate hangs by now.
children = pathlib.Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text().split()
assert children, "no worker is running"
run.send_signal(signal.SIGKILL)
run.wait()
(commit,) = [e for e in events() if e["event"] == "commit"]
assert commit["knobs"]["block_size"] == 256
assert not os.path.exists(f"{out}/out.mlir")
deadline = time.time() + 10
while any(os.path.exists(f"/proc/{child}") for child in children):
    assert time.time() < deadline, "the worker outlives the run"
    time.sleep(0.05)
