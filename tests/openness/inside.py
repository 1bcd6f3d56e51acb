#!/usr/bin/env python3
# One component of every kind is added to the library by new files alone: nothing else in the tree knows it, the
# conformance tests try it, and an experiment trains with all of them. A command is added to the program in the same way;
# a plugin cannot bring one, since the program knows its commands before it reads a config.
import argparse
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "tools"))
import tree  # noqa: E402

parser = argparse.ArgumentParser()
for option in ("--conformance", "--train", "--program", "--kinds"):
    parser.add_argument(option, required=True)
given = parser.parse_args()
components = {file.stem: file.parent.name for file in (HERE / "components").glob("*/*.cpp")}
commands = [file.stem for file in (HERE / "commands").glob("*.cpp")]
faults = []


def run(*command):
    environment = {**os.environ, "HEARTH_EXTRA_COMPONENTS": str(HERE / "components")}
    result = subprocess.run(command, env=environment, capture_output=True, text=True)
    if result.returncode:
        faults.append(f"{' '.join(command)} ended with {result.returncode}:\n{result.stdout}{result.stderr}")
    return result.stdout


for line in Path(given.kinds).read_text().splitlines():
    kind = line.split()[0]
    if f"{kind}s" not in components.values():
        faults.append(f"there is no {kind} in tests/openness/components/{kind}s: write one, as a user would.")
for name in tree.files():
    if name.startswith("tests/openness/"):
        continue
    try:
        text = tree.read(name)
    except UnicodeDecodeError:
        continue
    faults += [f"{name} knows {added}: adding a component or a command must not edit it."
               for added in [*components, *commands] if added in text]
tried = run(given.conformance, "--gtest_filter=*open_*")
for component in components:
    count = sum(component in line for line in tried.splitlines() if line.startswith("[       OK ]"))
    if count < 5:
        faults.append(f"only {count} conformance tests tried {component}.")
said = run(given.train, str(HERE / "everything.yaml"))
if said.count("dear diary") != 2:
    faults.append(f"the trace did not speak twice:\n{said}")
if not commands:
    faults.append("there is no command in tests/openness/commands: write one, as a user would.")
for command in commands:
    for page, wanted in ((("--help",), command), ((command, "--help"), "hearth " + command), ((command, "you"), "hello you"),
                         ((command, "you", "--json"), '{"greeting":"hello you"}'), (("completion", "bash"), "")):
        if wanted not in (said := run(given.program, *page)):
            faults.append(f"hearth {' '.join(page)} does not say {wanted!r}, but\n{said}")
print(*faults, sep="\n")
print(f"openness: {len(components)} components, {len(commands)} command, {len(faults)} at fault")
sys.exit(1 if faults else 0)
