"""What is measured, how long it takes, and what makes the stores; for the scripts beside this one."""
import os
import statistics
import subprocess
import sys
import tempfile
import time

from machine import CACHE, ROOT, fail, say

MIB = 1 << 20


class Program:
    """A command with the number of cores it may use; `times` in seconds, `peak` in bytes."""

    def __init__(self, name, argv, cores=1):
        self.name, self.argv, self.cores, self.times, self.peak = name, argv, cores, [], 0

    @property
    def median(self):
        return statistics.median(self.times)


def run_once(argv, cores):
    """(seconds, peak bytes, output) of one run on `cores` cores. Stops everything when it fails."""
    seconds, _, peak, text = run_counted(argv, cores)
    return seconds, peak, text


def run_counted(argv, cores):
    """The same with processor seconds after the seconds."""
    all_cores = os.sched_getaffinity(0)
    if len(all_cores) < cores:
        fail(f"this machine has {len(all_cores)} core(s), {cores} are needed")
    with tempfile.TemporaryFile() as output:
        actions = [(os.POSIX_SPAWN_DUP2, output.fileno(), 1)]
        os.sched_setaffinity(0, set(sorted(all_cores)[:cores]))  # inherited by the child
        try:
            start = time.perf_counter_ns()
            child = os.posix_spawn(argv[0], argv, os.environ, file_actions=actions)
            _, status, usage = os.wait4(child, 0)
            seconds = (time.perf_counter_ns() - start) / 1e9
        finally:
            os.sched_setaffinity(0, all_cores)
        output.seek(0)
        text = output.read().decode()
    if os.waitstatus_to_exitcode(status) != 0:
        fail(f"{' '.join(argv)} ended with {os.waitstatus_to_exitcode(status)}")
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, text


def measure(programs, rounds):
    """Runs the programs in turn; the first round only warms up."""
    for number in range(rounds + 1):
        for program in programs:
            seconds, peak, _ = run_once(program.argv, program.cores)
            if number:
                program.times.append(seconds)
                program.peak = max(program.peak, peak)
        if rounds <= 10:
            say(f"  round {number} of {rounds}")


def shared():
    folder = os.environ.get("SXKEY_SHARED") or os.path.join(os.path.dirname(ROOT), "shared")
    tool = os.path.join(folder, "tools/make-store.py")
    if not os.path.exists(tool):
        fail("tools/make-store.py is not beside the repository in ../shared, nor in $SXKEY_SHARED")
    return tool


def python_with_cryptography():
    python = os.path.join(CACHE, "venv/bin/python")
    if not os.path.exists(python) or subprocess.run([python, "-c", "import cryptography"], capture_output=True).returncode:
        say("making a Python environment with cryptography")
        subprocess.run([sys.executable, "-m", "venv", os.path.join(CACHE, "venv")], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "cryptography"], check=True)
    return python
