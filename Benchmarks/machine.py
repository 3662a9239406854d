"""What the benchmarks share: places, the machine they run on, and tables for Benchmarks/README.md."""
import datetime
import os
import platform
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
CACHE = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "sxkey-bench")
SXKEY = os.path.join(ROOT, ".build/release/sxkey")
README = os.path.join(HERE, "README.md")


def say(text):
    print(text, file=sys.stderr, flush=True)


def fail(text):
    sys.exit(f"bench: {text}")


def first_line(*command):
    try:
        lines = subprocess.run(command, capture_output=True, text=True).stdout.splitlines()
    except OSError:
        return None
    return next((line.strip() for line in lines if line.strip()), None)


def machine():
    model = "unknown processor"
    with open("/proc/cpuinfo") as file:
        for line in file:
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    system = "Linux"
    with open("/etc/os-release") as file:
        for line in file:
            if line.startswith("PRETTY_NAME="):
                system = line.split("=", 1)[1].strip().strip('"')
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / (1 << 30)
    swift = first_line("swift", "--version")
    version = first_line(SXKEY, "version")
    load = os.getloadavg()[0]
    facts = [str(datetime.date.today()), version, model, f"{os.cpu_count()} cores", f"{memory:.0f} GiB", system,
             f"Linux {platform.release().split('-')[0]}", swift, f"load average {load:.1f} before the run"]
    # There may be no release build of sxkey yet.
    return ", ".join(fact for fact in facts if fact)


def verdict(met):
    return "met" if met else "**not met**"


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "|".join(["---"] + ["---:"] * (len(header) - 1)) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def write_section(begin, end, text):
    with open(README) as file:
        before, rest = file.read().split(begin)
    after = rest.split(end)[1]
    with open(README, "w") as file:
        file.write(f"{before}{begin}\n{text}{end}{after}")
    say("written to Benchmarks/README.md")
