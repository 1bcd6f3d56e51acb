"""Ranks as processes of a test, each started with the variables a launcher would set: what they say, how they end."""
import array
import json
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import subprocess
import time

from hearth_program import HEARTH

# All that later bits depend on, in little time. Where each rank keeps its data is up to the folder it works in.
CONFIG = """
name: ranks
shards: {shards}
data:
  train: {{npy: {{files: {{image: /proc/self/cwd/data/features.npy, label: /proc/self/cwd/data/label.npy}}, classes: {{label: 4}}}}}}
  eval: {{first: {{of: {{npy: {{files: {{image: /proc/self/cwd/data/features.npy, label: /proc/self/cwd/data/label.npy}}, classes: {{label: 4}}}}}}, count: 64}}}}
  batch_size: 32
model: {{mlp: {{hidden: [32], dropout: 0.1}}}}
loss: cross_entropy
optimizer: {{adamw: {{lr: 0.01}}}}
average: 0.99
metrics: [accuracy]
train: {{epochs: {epochs}, warm_up: false, checkpoint: {{every: 20st}}}}
"""


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def save_npy(path, kind, shape, values):
    """A .npy file, for Pythons without NumPy."""
    head = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}"
    head = head.ljust((len(head) + 11 + 63) // 64 * 64 - 11) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head.encode() + values.tobytes())


def write_experiment(folder, epochs, shards=2, change=0.0):
    """A config and its data; `change` makes one value of the data another."""
    folder = pathlib.Path(folder)
    (folder / "data").mkdir(parents=True)
    draw = random.Random(1)
    rows = [[draw.gauss(0, 1) for _ in range(16)] for _ in range(1024)]
    label = [max(range(4), key=lambda i: row[i] + 0.5 * row[4 + i]) for row in rows]
    rows[7][3] += change
    save_npy(folder / "data" / "features.npy", "<f4", (1024, 16), array.array("f", sum(rows, [])))
    save_npy(folder / "data" / "label.npy", "<i8", (1024,), array.array("q", label))
    (folder / "ranks.yaml").write_text(CONFIG.format(epochs=epochs, shards=shards))


def digest_of(output):
    return json.loads(output.strip().splitlines()[-1])["state_sha256"]


def await_true(what, condition, seconds, tell=lambda: ""):
    """Seconds until `condition` held; `tell` says more where it did not."""
    began = time.monotonic()
    while not condition():
        if time.monotonic() - began > seconds:
            raise AssertionError(f"{what}: not within {seconds} s\n{tell()}")
        time.sleep(0.05)
    return time.monotonic() - began


def without_namespaces():
    """Why hosts cannot be played here, or nothing."""
    if os.geteuid() != 0 or not shutil.which("ip"):
        return "needs root and ip"
    done = subprocess.run(["ip", "netns", "add", "hearth_try"], capture_output=True, text=True, check=False)
    subprocess.run(["ip", "netns", "del", "hearth_try"], capture_output=True, check=False)
    return done.stderr.strip()


class RankProcesses:
    """The ranks of one run. `each` says what a rank has of its own: program, folder, variables, words before and after."""

    def __init__(self, folder, words, ranks=2, each=None, variables=None):
        self.folder, self.processes, self.consoles = pathlib.Path(folder), [], []
        common = {"WORLD_SIZE": str(ranks), "LOCAL_WORLD_SIZE": str(ranks), "MASTER_ADDR": "127.0.0.1",
                  "MASTER_PORT": str(free_port()), "OMP_NUM_THREADS": "1", **(variables or {})}
        for rank in range(ranks):
            own = (each or {}).get(rank, {})
            console = self.folder / f"console-{time.monotonic_ns()}-{rank}"
            self.consoles.append(console)
            with open(console, "w") as errors, open(f"{console}.out", "w") as output:
                self.processes.append(subprocess.Popen(
                    [*own.get("before", []), own.get("program", HEARTH), *words, *own.get("after", [])],
                    cwd=own.get("folder", folder), stdout=output, stderr=errors,
                    env={**os.environ, **common, "RANK": str(rank), "LOCAL_RANK": str(rank), **own.get("variables", {})}))

    def text(self, rank):
        return self.consoles[rank].read_text()

    def texts(self):
        return "".join(f"\nrank {rank}:\n{self.text(rank)}" for rank in range(len(self.processes)))

    def digest(self):
        return digest_of(pathlib.Path(f"{self.consoles[0]}.out").read_text())

    def run(self):
        return next(self.folder.glob("runs/*"))

    def await_work(self):
        """Until a checkpoint of this start is there."""
        def checkpoints():
            return {path.name for path in self.folder.glob("runs/*/checkpoints/step-*.safetensors")}
        before = checkpoints()
        await_true("a checkpoint", lambda: checkpoints() - before or self.has_ended(), 120, self.texts)
        if self.has_ended():
            raise AssertionError(f"the run ended before the fault{self.texts()}")

    def await_words(self, rank, pattern, seconds):
        return await_true(f"rank {rank} says {pattern!r}", lambda: re.search(pattern, self.text(rank)), seconds, self.texts)

    def has_ended(self, without=()):
        return all(process.poll() is not None for rank, process in enumerate(self.processes) if rank not in without)

    def await_end(self, seconds, without=()):
        """Their exit codes; `without` are those that cannot end by themselves."""
        await_true("an end of all ranks", lambda: self.has_ended(without), seconds, self.texts)
        return [process.poll() for process in self.processes]

    def end(self):
        for process in self.processes:
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
            process.wait()


class Launch:
    """`hearth launch` in a folder, and the ranks it started."""

    def __init__(self, folder, *words, before=(), **variables):
        self.folder = pathlib.Path(folder)
        self.console = self.folder / f"console-{time.monotonic_ns()}"
        with open(self.console, "w") as errors, open(f"{self.console}.out", "w") as output:
            self.process = subprocess.Popen([*before, HEARTH, "launch", *words], cwd=folder, stdout=output, stderr=errors,
                                            env={**os.environ, **variables})

    def text(self):
        return self.console.read_text()

    def digest(self):
        return digest_of(pathlib.Path(f"{self.console}.out").read_text())

    def checkpoints(self):
        return {path.name for path in self.folder.glob("runs/*/checkpoints/step-*.safetensors")}

    def ranks(self):
        """Processes by rank."""
        found = {}
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if f"\nPPid:\t{self.process.pid}\n" not in (folder / "status").read_text():
                    continue
                variables = dict(pair.split("=", 1) for pair in (folder / "environ").read_text().split("\0") if "=" in pair)
                found[int(variables["HEARTH_RANK"])] = int(folder.name)
            except (OSError, KeyError):
                continue
        return found

    def lose(self):
        """As if its host had lost power."""
        ranks = self.ranks()
        self.process.kill()
        for rank in ranks.values():
            try:
                os.kill(rank, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.process.wait()

    def end(self):
        if self.process.poll() is None:
            self.lose()
