"""Every table in broken_configs/: each config is caught before step 0, in `check` and in `train`, with one message.

A table (*.txt) holds entries. `python3 broken_configs_test.py --update` writes what the program says now; the
diff is for a person to read.

    case: name misspelt                what is wrong
    base: full                         file of bases/ to change; digits if left out
    1| nmae: digits                    stands for line 1; several for one line stand one below the other
    words: train.epochs=x 'a b=c'      more words for the command line
    only: train                        found by the warm-up, which `check` does not run
    bytes: b'name: \\xff'               the whole file instead, as Python writes it
    => exit 2, schema refuses          exit code, and what the JSON Schema says where it can be asked
        error: broken.yaml:1:1: ...    all of standard error; exit 0 is for warnings
"""
import ast
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import unittest

import jsonschema

import broken_files
from hearth_program import Folder

HERE = pathlib.Path(__file__).resolve().parent / "broken_configs"
CONFIG = "broken.yaml"
INDENT = "    "
# What depends on the machine.
VARYING = [(re.compile(r"needs? [\d.]+ \wiB, but this machine"), "needs SIZE, but this machine"),
           (re.compile(r"this machine has [\d.]+ \wiB"), "this machine has MEMORY"),
           (re.compile(r"Known: --help,.*"), "Known: FLAGS")]


# What is no fault of the config: flags, and files that cannot be read.
NO_PLACE = re.compile(r"hearth check has no flag|Cannot (open|read) '[\w.-]+':")
# Behind a place stands the option's path, but for what is wrong with the file itself, and with nodes of the graph, which
# have names of their own.
PATH = re.compile(r"[a-z_]+\S*: |there is no option|in modes? |(network|metrics|data\.\w+)\[\d+\] |expected (options|a number)|"
                  r"not valid YAML|nested deeper|more than 10,000|the (tag|merge key|key|alias) |a (key|text|second document) ")


class Case:
    def __init__(self, lines):
        self.head = [line for line in lines if not line.startswith((INDENT, "=>"))]
        self.expected = [line for line in lines if line.startswith((INDENT, "=>"))]
        fields = dict(line.split(": ", 1) for line in self.head if re.match(r"[a-z]+: ", line))
        self.name = fields["case"]
        self.base = fields.get("base", "digits")
        self.only = fields.get("only")
        self.words = shlex.split(fields.get("words", ""))
        self.bytes = ast.literal_eval(fields["bytes"]) if "bytes" in fields else None
        self.edits = {}
        for line in self.head:
            if match := re.match(r"(\d+)\| ?(.*)$", line):
                self.edits.setdefault(int(match[1]), []).append(match[2])

    def content(self):
        if self.bytes is not None:
            return self.bytes
        lines = (HERE / "bases" / f"{self.base}.yaml").read_text().splitlines()
        for number, texts in self.edits.items():
            lines[number - 1] = "\n".join(texts)
        return ("\n".join(lines) + "\n").encode()


class Table:
    def __init__(self, path):
        self.path = path
        self.head, *entries = re.split(r"^(?=case: )", path.read_text(), flags=re.MULTILINE)
        self.cases = [Case(entry.rstrip("\n").split("\n")) for entry in entries]

    def write(self):
        entries = ["\n".join(case.head + case.expected) + "\n" for case in self.cases]
        self.path.write_text(self.head + "\n".join(entries))


class Programs:
    """One process with the engine loaded, and a child of it for each command."""

    def __init__(self, folder):
        self.folder = folder
        self.process = subprocess.Popen([os.environ["HEARTH_MANY"]], text=True, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, env={**os.environ, "NO_COLOR": "1"})

    def ask(self, **request):
        self.process.stdin.write(json.dumps({"folder": str(self.folder), **request}) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def run(self, *words):
        return self.ask(words=words)

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def message_of(done, folder):
    text = done["err"].replace(str(folder), "FOLDER")
    if done["exit"] == 0:  # besides warnings, what to do next
        text = "".join(line for line in text.splitlines(True) if line.startswith("warning: "))
    for pattern, replacement in VARYING:
        text = pattern.sub(replacement, text)
    return text.replace("\t", "\\t")


def tables():
    return [Table(path) for path in sorted(HERE.glob("*.txt"))]


class BrokenConfigs(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.temporary = Folder()
        cls.folder = cls.temporary.path
        broken_files.write_all(cls.folder)
        cls.programs = Programs(cls.folder)
        cls.validator = jsonschema.Draft202012Validator(json.loads(cls.programs.run("schema")["out"]))

    @classmethod
    def tearDownClass(cls):
        cls.programs.close()
        cls.temporary.__exit__()

    def schema_says(self, case):
        """What an editor would say; nothing where the fault is not in the file, or is no YAML."""
        asked = self.programs.ask(yaml=CONFIG)
        if case.words or asked["exit"] != 0:
            return ""
        return ", schema accepts" if self.validator.is_valid(json.loads(asked["out"])) else ", schema refuses"

    def outcome(self, case):
        """(the lines for the table, what `train` did where it is not what `check` did)."""
        (self.folder / CONFIG).write_bytes(case.content())
        train = self.programs.run("train", CONFIG, "--quiet", *case.words)
        check = train if case.only == "train" else self.programs.run("check", CONFIG, *case.words)
        has_run = (self.folder / "runs").exists()
        shutil.rmtree(self.folder / "runs", ignore_errors=True)
        said = message_of(check, self.folder)
        lines = [f"=> exit {check['exit']}{self.schema_says(case)}"]
        lines += [INDENT + line for line in said.splitlines()]
        train_said = message_of(train, self.folder)
        difference = ""
        train_said = train_said.replace("hearth train", "hearth check")  # where the command is named
        if (train["exit"], train_said) != (check["exit"], said):
            difference = f"train ends with {train['exit']} and says\n{train_said}"
        elif has_run and check["exit"] != 0:
            difference = "train leaves a run folder"
        return lines, difference

    def test_each_is_caught_with_its_whole_message(self):
        for table in tables():
            for case in table.cases:
                with self.subTest(table=table.path.name, case=case.name):
                    lines, difference = self.outcome(case)
                    self.assertEqual("\n".join(case.expected), "\n".join(lines))
                    self.assertEqual("", difference)

    def test_none_is_called_a_defect_and_the_schema_is_never_stricter(self):
        for table in tables():
            for case in table.cases:
                with self.subTest(table=table.path.name, case=case.name):
                    self.assertRegex(case.expected[0], r"^=> exit [0234]\b")
                    self.assertFalse("schema refuses" in case.expected[0] and "exit 0" in case.expected[0])
                    self.assertGreater(len(case.expected), 1)

    def test_there_are_at_least_250_and_each_says_where(self):
        cases = [(table.path.stem, case) for table in tables() for case in table.cases]
        self.assertGreaterEqual(len(cases), 250)
        for table, case in cases:
            for line in case.expected[1:]:
                fault = line[len(INDENT):].removeprefix("error:").strip()
                is_fault = fault and not re.fullmatch(r"\d+ faults\.", fault) and not line.startswith(INDENT + " ")
                if is_fault and not NO_PLACE.match(fault):
                    with self.subTest(table=table, case=case.name):
                        self.assertRegex(fault, rf"^(warning: )?({CONFIG}:\d+:\d+: |command line '|override ')")
                        if place := re.match(rf"(warning: )?{CONFIG}:\d+:\d+: ", fault):
                            self.assertRegex(fault[place.end():], PATH)

    def test_the_real_program_says_the_same(self):
        for table in tables():
            case = table.cases[0]
            (self.folder / CONFIG).write_bytes(case.content())
            done = subprocess.run([os.environ["HEARTH"], "check", CONFIG, *case.words], cwd=self.folder, text=True,
                                  capture_output=True)
            said = [INDENT + line for line in message_of({"err": done.stderr, "exit": done.returncode}, self.folder).splitlines()]
            with self.subTest(table=table.path.name):
                self.assertIn(f"exit {done.returncode}", case.expected[0])
                self.assertEqual(case.expected[1:], said)


def update():
    BrokenConfigs.setUpClass()
    test = BrokenConfigs()
    for table in tables():
        for case in table.cases:
            case.expected, difference = test.outcome(case)
            if difference:
                print(f"{table.path.name}: {case.name}: {difference}", file=sys.stderr)
        table.write()
    BrokenConfigs.tearDownClass()


if __name__ == "__main__":
    if sys.argv[1:] == ["--update"]:
        update()
    else:
        unittest.main()
