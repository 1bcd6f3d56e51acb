"""Runs the built program the way a person would, in a folder of its own."""
import json
import os
import pathlib
import subprocess
import tempfile

HEARTH = os.environ["HEARTH"]
SOURCE = pathlib.Path(os.environ["HEARTH_SOURCE"])
DIGITS = str(SOURCE / "examples" / "digits.yaml")
# Values of any size, ops on batches, two models, groups, turns: all that bits may hang on.
EVERYTHING = str(SOURCE / "tests" / "runs" / "everything.yaml")
# Small enough for many runs, with everything on that later bits depend on.
SMALL = ["model={mlp: {hidden: [16], dropout: 0.1}}", "average=0.99", "train.epochs=2"]


class Folder:
    """A temporary folder in which commands run."""

    def __init__(self):
        self._folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self._folder.name)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._folder.cleanup()

    def run(self, *words, ok=True, environment=None, **more):
        done = subprocess.run([HEARTH, *words], cwd=self.path, text=True, capture_output=True, timeout=300,
                              env={**os.environ, **(environment or {})}, **more)
        if ok and done.returncode != 0:
            raise AssertionError(f"hearth {' '.join(words)} ended with {done.returncode}\n{done.stdout}{done.stderr}")
        return done

    def json(self, *words, environment=None):
        return json.loads(self.run(*words, "--json", environment=environment).stdout.strip().splitlines()[-1])

    def start(self, *words, stderr=subprocess.DEVNULL):
        return subprocess.Popen([HEARTH, *words], cwd=self.path, stdout=subprocess.DEVNULL, stderr=stderr)


def events(run):
    """The run log without times: what two equal runs must share."""
    lines = (pathlib.Path(run) / "log.jsonl").read_text().splitlines()
    return [{k: v for k, v in json.loads(line).items() if k != "time"} for line in lines]
