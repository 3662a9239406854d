#!/usr/bin/env python3
"""Runs sections of sealed.sql with an engine that has a Python module; all work is inside of the SQL.

usage: database.py ENGINE DATABASE WORKLOADS SECTION…
Prints the seconds and the processor seconds of their timed parts and the last number.
"""
import sys
import time

KEY = "07" * 32


def connect(engine, path):
    """(function that runs one statement and gives its rows, version)"""
    module, _, cipher = engine.partition("-")
    if module == "sqlite":
        import sqlite3
        connection = sqlite3.connect(path, isolation_level=None)
        version = sqlite3.sqlite_version
    elif module == "sqlcipher":
        import sqlcipher3
        connection = sqlcipher3.connect(path, isolation_level=None)
        version = sqlcipher3.sqlite_version
        if cipher != "plain":
            connection.execute(f"PRAGMA key = \"x'{KEY}'\"").fetchall()
            version += ", SQLCipher " + connection.execute("PRAGMA cipher_version").fetchall()[0][0]
    else:
        import apsw
        connection = apsw.Connection(path)
        version = f"{apsw.sqlite_lib_version()}, {apsw.mc_version}"
        if cipher != "plain":
            connection.execute(f"PRAGMA cipher = '{cipher}'").fetchall()
            connection.execute("PRAGMA key = 'benchmark'").fetchall()
    return lambda sql: connection.execute(sql).fetchall(), version


def sections(path):
    """Of each section a list of groups: (timed, times, statements)."""
    found, timed, times = {}, False, 1
    groups, statements, text = None, None, ""
    for line in open(path):
        line = line.rstrip("\n")
        if line.startswith("--- "):
            word, *rest = line[4:].split()
            if word == "timed":
                timed, times = True, 1
            elif word in ("repeat", "once"):
                times = int(rest[0]) if rest else 1
            else:
                groups, timed, times = found.setdefault(word, []), False, 1
            statements = []
            groups.append((timed, times, statements))
        elif line and not line.startswith("--") and groups is not None:
            text += line + "\n"
            if line.endswith(";"):
                statements.append(text)
                text = ""
    return found


def main():
    engine, path, workloads, *names = sys.argv[1:]
    run, version = connect(engine, path)
    if names == ["version"]:
        return print(version)
    known, seconds, processor, number = sections(workloads), 0, 0, 0
    for name in ["settings"] + names:
        start = None
        for timed, times, statements in known[name]:
            if timed and start is None:
                start = time.perf_counter(), time.process_time()
            for part in range(times):
                for sql in statements:
                    rows = run(sql.replace(":part", str(part)))
                    if rows:
                        number = rows[0][0]
        if start:
            seconds, processor = time.perf_counter() - start[0], time.process_time() - start[1]
    print(seconds, processor, number)


main()
