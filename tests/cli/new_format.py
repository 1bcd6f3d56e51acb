#!/usr/bin/env python3
# What `hearth new` writes is formatted, for every kind and for short and long names. Ends with 77 when it is skipped.
import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
import clang_tool  # noqa: E402

NAMES = ("ab", "gated_linear", "a_name_of_24_letters_abc")

parser = argparse.ArgumentParser()
for option in ("--program", "--style"):
    parser.add_argument(option, required=True)
given = parser.parse_args()
clang_format, reason = clang_tool.find("clang-format")
if not clang_format:
    print(f"new: skipped, {reason}")
    sys.exit(77)

listed = subprocess.run([given.program, "list", "--json"], check=True, capture_output=True, text=True).stdout
kinds = [kind["name"] for kind in json.loads(listed)]
failed = 0
with tempfile.TemporaryDirectory() as folder:
    shutil.copy(given.style, Path(folder, ".clang-format"))
    for kind in kinds:
        for name in NAMES:
            target = Path(folder, kind)
            subprocess.run([given.program, "new", kind, name, "--folder", target], check=True, capture_output=True)
    files = sorted(str(file) for file in Path(folder).glob("*/*") if file.suffix in (".h", ".cpp"))
    result = subprocess.run([clang_format, "--dry-run", "-Werror", *files], capture_output=True, text=True)
    failed = int(result.returncode != 0 or len(files) != len(kinds) * len(NAMES) * 3)
    print(result.stderr, end="")
print(f"new: {len(files)} files, {failed} failed")
sys.exit(failed)
