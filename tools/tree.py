# The project's own files, for the check scripts.
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(os.environ.get("HEARTH_ROOT", Path(__file__).resolve().parent.parent))
# As .gitignore says; the first three stand at the top only.
LEFT_OUT = {"./.git", "./build", "./runs", "__pycache__", ".cache"}


def files(*suffixes, under=""):
    """Relative paths, sorted: what git tracks or would track; every file in an unpacked archive."""
    command = ["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, capture_output=True, text=True) if (ROOT / ".git").exists() else None
    names = listed.stdout.split("\0") if listed and listed.returncode == 0 else walk()
    return sorted(name for name in set(names)
                  if name.startswith(under) and name.endswith(suffixes or "") and (ROOT / name).is_file())


def walk():
    for folder, folders, names in os.walk(ROOT):
        at = os.path.relpath(folder, ROOT)
        folders[:] = [name for name in folders if not LEFT_OUT & {name, f"{at}/{name}"}]
        yield from (os.path.relpath(os.path.join(folder, name), ROOT) for name in names)


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def kind_folders():
    """The folders of each kind, {"Trace": ["hearth/train/traces"]}: as the build's hearth_registry() calls name them."""
    calls = re.findall(r"^\s*hearth_registry\(\w+ (\w+) \S+ ([^)]*)\)", "".join(map(read, files(".cmake", under="cmake/"))),
                       re.MULTILINE)
    return {base: folders.split() for base, folders in calls}


def kind_of(name, kinds):
    """The kind of component that a file belongs to: every source below a kind's folders is one."""
    return next((kind for kind, folders in kinds.items() for folder in folders if name.startswith(folder + "/")), None)


def finish(name, faults, summary):
    """One line when all is well, otherwise every fault; ends the script."""
    for fault in faults:
        print(fault)
    print(f"{name}: {f'{len(faults)} at fault' if faults else summary}")
    sys.exit(1 if faults else 0)
