"""on_terminal.py color|plain COMMAND...: looks at what a run writes to a terminal.
The second candidate crashes, so that there is a line in colour."""

import os
import pty
import re
import sys

os.environ.update(TERM="xterm", KS_TEST_FAULT="crash@block_size = 128")
output = b""


def read(fd):
    global output
    data = os.read(fd, 4096)
    output += data
    return data


# What pty.spawn copies is not to reach the test's own output.
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
status = pty.spawn(sys.argv[2:], read)
text = output.decode()
assert os.waitstatus_to_exitcode(status) == 0, text
assert "\r\x1b[K" in text, text
colored = re.search(r"\x1b\[[0-9;]*m", text.replace("\x1b[K", ""))
assert bool(colored) == (sys.argv[1] == "color"), text
assert "[1/1] add 2/2 block_size=128 from 256: crashed" in text, text
assert "report: " in text, text
