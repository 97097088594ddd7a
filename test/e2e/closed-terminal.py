"""Runs a command on a terminal of its own, closes that when a file is there, and prints how the command ended."""

import os
import pty
import sys
import time

WAIT_S = 60

there, *command = sys.argv[1:]
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(command[0], command)
end = time.monotonic() + WAIT_S
while not os.path.exists(there) and time.monotonic() < end:
    time.sleep(0.02)
os.close(terminal)
_, status = os.waitpid(pid, 0)
print(os.waitstatus_to_exitcode(status))
