"""Kills a process below another, once: the first whose command line has a text, or the one above it that has another.

    python3 kill_below.py PID TEXT [ABOVE]

Prints what it killed. It ends when it has, or after five minutes with exit code 1.
"""
import os
import pathlib
import signal
import sys
import time


def command(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().decode("utf-8", "replace").replace("\0", " ")
    except OSError:
        return ""


def below(pid):
    """The processes below one, each with those above it."""
    try:
        tasks = list(pathlib.Path(f"/proc/{pid}/task").iterdir())
        children = [child for task in tasks for child in (task / "children").read_text().split()]
    except OSError:
        children = []
    for child in children:
        yield child, [pid]
        for deep, above in below(child):
            yield deep, [*above, pid]


root, text, *above = sys.argv[1:]
until = time.monotonic() + 300
while time.monotonic() < until:
    for pid, ancestors in below(root):
        if text in command(pid):
            found = pid if not above else next((one for one in ancestors if above[0] in command(one)), None)
            if found:
                what = command(found)
                os.kill(int(found), signal.SIGKILL)
                print(f"killed {what[:60]}…", flush=True)
                sys.exit()
    time.sleep(0.001)
sys.exit(1)
