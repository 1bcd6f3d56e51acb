#!/usr/bin/env python3
# With the real catalog: every kind can be listed, every component explained and found in the guide, and the schema is
# JSON.
import argparse
import json
import pathlib
import re
import subprocess
import sys

parser = argparse.ArgumentParser()
parser.add_argument("--program", required=True)
program = parser.parse_args().program
faults = []


def answer(*words):
    result = subprocess.run([program, *words], capture_output=True, text=True)
    if result.returncode or not result.stdout:
        faults.append(f"hearth {' '.join(words)}: ended with {result.returncode}: {result.stderr}")
    return result.stdout


def listed(*words):
    return [entry["name"] for entry in json.loads(answer("list", *words, "--json") or "[]")]


kinds = listed()
components = [name for kind in kinds for name in listed(kind)]
for name in [*kinds, *sorted(set(components)), "experiment"]:
    text = answer("docs", name)
    if name not in text:
        faults.append(f"hearth docs {name} does not name it")
    # An option that takes a component shows one.
    faults += [f"hearth docs {name}: {line}" for line in text.splitlines()
               if line.startswith(("YAML", "C++")) and (re.search(r"(?<![\w'\"])null(?![\w'\"])", line) or "::()" in line)]
guide = (pathlib.Path(__file__).resolve().parents[2] / "docs/guide.md").read_text()
faults += [f"docs/guide.md does not name {name}" for name in sorted(set(components)) if not re.search(rf"\b{name}\b", guide)]
schema = json.loads(answer("schema") or "{}")
if len(kinds) < 8 or not components or "properties" not in schema:
    faults.append(f"the catalog is too small: {len(kinds)} kinds, {len(components)} components")
print(*faults, sep="\n")
print(f"catalog: {len(kinds)} kinds, {len(components)} components, {len(faults)} at fault")
sys.exit(1 if faults else 0)
