#!/usr/bin/env python3
# Replays the sessions in transcripts/: each `$ command` must print what stands below it, and nothing else.
# A line [exit N] ends the output of a command that fails. --update writes what the program says now.
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--catalog", type=Path, required=True, help="the program that prints the catalog")
    parser.add_argument("--templates", type=Path, required=True)
    parser.add_argument("--update", action="store_true")
    return parser.parse_args()


def install(given, prefix):
    """The program as if installed, but with the small catalog and without an engine."""
    share = prefix / "share/hearth"
    share.mkdir(parents=True)
    (prefix / "bin").mkdir()
    (prefix / "lib").mkdir()
    shutil.copy(given.program, prefix / "bin/hearth")
    for library in (given.program.parent.parent / "lib").glob("libhearth_core.so*"):
        (prefix / "lib" / library.name).symlink_to(library)
    (share / "templates").symlink_to(given.templates)
    for name in ("type_names.txt", "kinds.txt"):
        shutil.copy(given.program.parent.parent / "share/hearth" / name, share)
    (share / "catalog.json").write_bytes(subprocess.run([given.catalog], check=True, capture_output=True).stdout)


def run(command, folder, prefix):
    environment = {"PATH": f"{prefix}/bin:{os.environ['PATH']}", "HOME": str(folder)}
    result = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, text=True, timeout=60,
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    text = result.stdout.replace(str(prefix), "PREFIX")
    return text + (f"[exit {result.returncode}]\n" if result.returncode else "")


def replay(session, prefix):
    """The session as it goes now."""
    parts = re.split(r"^(\$ .*\n)", session, flags=re.MULTILINE)
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(HERE / "files", folder, dirs_exist_ok=True)
        said = [parts[0]]
        for line in parts[1::2]:
            said.append(line + run(line[2:], folder, prefix) + "\n")
    return "".join(said).rstrip("\n") + "\n"


def show_difference(name, expected, came):
    import difflib
    sys.stdout.writelines(difflib.unified_diff(expected.splitlines(True), came.splitlines(True), name, "now"))


def main():
    given = options()
    failed = []
    sessions = sorted((HERE / "transcripts").glob("*.txt"))
    with tempfile.TemporaryDirectory() as folder:
        install(given, Path(folder))
        for session in sessions:
            expected = session.read_text()
            came = replay(expected, Path(folder))
            if given.update:
                session.write_text(came)
            elif came != expected:
                show_difference(session.name, expected, came)
                failed.append(session.name)
    print(f"sessions: {len(sessions) - len(failed)} passed, {len(failed)} failed")
    sys.exit(1 if failed else 0)


main()
