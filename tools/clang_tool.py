# clang-format and clang-tidy of the version whose answers the project follows; others format and find otherwise.
import re
import shutil
import subprocess

VERSION = 14


def version_of(program):
    said = subprocess.run([program, "--version"], capture_output=True, text=True).stdout
    found = re.search(r"version (\d+)", said)
    return int(found[1]) if found else None


def find(name):
    """The program, and why a check must be skipped without it: (None, reason) when only another version is here."""
    paths = [path for path in map(shutil.which, (f"{name}-{VERSION}", name)) if path]
    for path in paths:
        if version_of(path) == VERSION:
            return path, ""
    if not paths:
        return None, f"{name} is missing; tools/setup test installs it."
    return None, f"{name} {version_of(paths[-1])} answers otherwise than version {VERSION}, which the project follows."
