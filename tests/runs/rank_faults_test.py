"""Faults of ranks: each is named in time, nothing hangs, and the run goes on to the bits of one that had none.
A table of them is at the end of this file. With HEARTH_RANK_FAULTS=all every one is tried, one after the other, as
tools/soak does; HEARTH_RANK_FAULTS=kill,slow only these. Otherwise those that every change can wait for, side by side."""
import concurrent.futures
import contextlib
import ctypes
import dataclasses
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import typing
import unittest

from hearth_program import HEARTH
from rank_processes import Launch, RankProcesses, await_true, digest_of, free_port, without_namespaces, write_experiment

NAMED_WITHIN = 15  # seconds
ENDED_WITHIN = 40
EPOCHS = 60
STORM = 8  # kills
TRAIN = ["train", "ranks.yaml", "--json"]
GONE = "killed, is stopped, or cannot be reached"
FAKE_TIME = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1"
PTRACE_SEIZE, PTRACE_INTERRUPT, PTRACE_DETACH = 0x4206, 0x4207, 17


@dataclasses.dataclass
class Fault:
    name: str
    # What a rank says of it.
    words: dict
    # A context: inside it, the fault is there.
    strike: typing.Callable = None
    # A context that gives what `RankProcesses` starts the ranks with.
    stage: typing.Callable = None
    # The run goes on, once the fault is over, and ends well.
    goes_on: bool = False
    # It is there from the start: no step is made.
    at_start: bool = False
    # Ranks that cannot end by themselves.
    stuck: tuple = ()
    # Why it cannot be tried here, or nothing.
    hindrance: typing.Callable = lambda: ""
    # Another way to try it: gives how long naming it took, and the bits.
    play: typing.Callable = None


# How a fault is made.


@contextlib.contextmanager
def alone(folder):
    """All ranks on one host, alike."""
    del folder
    yield {}


def signal_to(rank, number):
    @contextlib.contextmanager
    def strike(group):
        group.processes[rank].send_signal(number)
        yield
        if group.processes[rank].poll() is None:
            group.processes[rank].kill()
    return strike


@contextlib.contextmanager
def nothing_more(group):
    del group
    yield


@contextlib.contextmanager
def slow_rank(group):
    """The main thread does nothing, while its others, and its signs of life, go on."""
    process, libc = group.processes[1].pid, ctypes.CDLL(None, use_errno=True)

    def trace(request):
        if libc.ptrace(request, process, 0, 0) < 0:
            raise OSError(ctypes.get_errno(), "ptrace")
    trace(PTRACE_SEIZE)
    trace(PTRACE_INTERRUPT)
    os.waitpid(process, 0x40000000)  # __WALL
    yield
    trace(PTRACE_DETACH)


@contextlib.contextmanager
def two_hosts(folder):
    """Network namespaces with a cable between them."""
    del folder
    names, links, addresses = ("hearth_a", "hearth_b"), ("hearth_va", "hearth_vb"), ("10.97.0.1", "10.97.0.2")

    def ip(*words):
        subprocess.run(["ip", *words], check=True)
    try:
        for name in names:
            ip("netns", "add", name)
        ip("link", "add", links[0], "netns", names[0], "type", "veth", "peer", "name", links[1], "netns", names[1])
        for name, link, address in zip(names, links, addresses):
            for words in (("addr", "add", f"{address}/24", "dev", link), ("link", "set", link, "up"), ("link", "set", "lo", "up")):
                ip("-n", name, *words)
        yield {"each": {rank: {"before": ["ip", "netns", "exec", name]} for rank, name in enumerate(names)},
               "variables": {"MASTER_ADDR": addresses[0], "HEARTH_SECRET": "a secret of this test"}}
    finally:
        for name in names:
            subprocess.run(["ip", "netns", "del", name], check=False)


@contextlib.contextmanager
def cut_cable(group):
    del group
    subprocess.run(["ip", "-n", "hearth_a", "link", "set", "hearth_va", "down"], check=True)
    yield


@contextlib.contextmanager
def other_config(folder):
    del folder
    yield {"each": {1: {"after": ["seed=1"]}}}


@contextlib.contextmanager
def other_data(folder):
    other = folder / "other"
    write_experiment(other, EPOCHS, change=0.5)
    yield {"each": {1: {"folder": other}}}


@contextlib.contextmanager
def other_program(folder):
    """The same, but for a bit of the digest that the linker wrote into it."""
    other = folder / "other"
    shutil.copytree(pathlib.Path(HEARTH).parent.parent, other, symlinks=True)
    library = next((other / "lib").glob("libhearth.so.*.*"))
    content = bytearray(library.read_bytes())
    content[content.index(b"\x04\0\0\0\x14\0\0\0\x03\0\0\0GNU\0") + 16] ^= 1
    library.write_bytes(content)
    yield {"each": {1: {"program": str(other / "bin" / "hearth")}}}


@contextlib.contextmanager
def small_disk(folder):
    runs = folder / "runs"
    runs.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", runs], check=True)
    try:
        yield {}
    finally:
        subprocess.run(["umount", runs], check=True)


@contextlib.contextmanager
def full_disk(group):
    filler = group.folder / "runs" / "filler"
    with contextlib.suppress(OSError), open(filler, "wb", buffering=0) as file:
        while True:
            file.write(bytes(4096))
    yield
    filler.unlink()


class Forwarder:
    """Stands between a rank and the store, from when there is one."""

    def __init__(self):
        self.port, self.target, self.sockets = free_port(), free_port(), []
        threading.Thread(target=self.accept, daemon=True).start()

    def reach(self):
        while True:
            try:
                return socket.create_connection(("127.0.0.1", self.target))
            except ConnectionRefusedError:
                time.sleep(0.05)

    def accept(self):
        self.reach().close()
        listener = socket.create_server(("127.0.0.1", self.port))
        self.sockets.append(listener)
        with contextlib.suppress(OSError):
            while True:
                near, far = listener.accept()[0], self.reach()
                self.sockets += [near, far]
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=self.forward, args=(one, other), daemon=True).start()

    @staticmethod
    def forward(one, other):
        with contextlib.suppress(OSError):
            while data := one.recv(65536):
                other.sendall(data)
        for end in (one, other):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def close(self):
        for one in self.sockets:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()


@contextlib.contextmanager
def store_in_between(folder):
    del folder
    forwarder = Forwarder()
    yield {"each": {0: {"variables": {"MASTER_PORT": str(forwarder.target)}},
                    1: {"variables": {"MASTER_PORT": str(forwarder.port)}}}, "forwarder": forwarder}
    forwarder.close()


@contextlib.contextmanager
def dead_store(group):
    group.forwarder.close()
    yield


@contextlib.contextmanager
def clock_in_a_file(folder):
    clock = folder / "clock"
    clock.write_text("+0\n")
    yield {"each": {1: {"variables": {"LD_PRELOAD": FAKE_TIME, "FAKETIME_TIMESTAMP_FILE": str(clock), "FAKETIME_NO_CACHE": "1",
                                      "DONT_FAKE_MONOTONIC": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}}}}


def clock_jump(text):
    @contextlib.contextmanager
    def strike(group):
        (group.folder / "clock").write_text(text + "\n")
        yield
    return strike


def storm(folder):
    """Kills of one rank after the other, at work and as they start, under a launcher that starts them again."""
    launch = Launch(folder, "-n", "2", "--restarts", "2", *TRAIN)
    slowest, known = 0, []
    try:
        for number in range(STORM):
            await_true("two ranks", lambda: len(launch.ranks()) == 2 and set(launch.ranks().values()).isdisjoint(known), 60,
                       launch.text)
            known, before = launch.ranks().values(), launch.checkpoints()
            if number % 2:
                await_true("a checkpoint", lambda: launch.checkpoints() - before, 60, launch.text)
            os.kill(launch.ranks()[number // 2 % 2], signal.SIGKILL)
            named = f"rank {number // 2 % 2} was ended by a signal (9"
            count = launch.text().count(named)
            slowest = max(slowest, await_true(named, lambda: launch.text().count(named) > count, NAMED_WITHIN, launch.text))
        if launch.process.wait(200) != 0:
            raise AssertionError(f"it ended with {launch.process.returncode}\n{launch.text()}")
        return slowest, launch.digest()
    finally:
        launch.end()


def without_root():
    return "" if os.geteuid() == 0 else "needs root"


def without_fake_time():
    return "" if os.path.exists(FAKE_TIME) else "needs libfaketime"


# The campaign.


class RankFaults(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            write_experiment(folder, EPOCHS)
            done = subprocess.run([HEARTH, *TRAIN], cwd=folder, text=True, capture_output=True, check=True, timeout=300)
            cls.truth = digest_of(done.stdout)

    def resumed(self, folder):
        """What the ranks come to, once the fault is over."""
        runs = list(folder.glob("runs/*/checkpoints"))
        words = ["train", "--resume", str(runs[0].parent), "--json"] if runs else TRAIN
        group = RankProcesses(folder, words)
        try:
            codes = group.await_end(200)
            self.assertEqual([0, 0], codes, group.texts())
            return group.digest()
        finally:
            group.end()

    def named_after(self, fault, group):
        began = time.monotonic()
        for rank, pattern in fault.words.items():
            group.await_words(rank, pattern, NAMED_WITHIN + 5)
        seconds = time.monotonic() - began
        self.assertLess(seconds, NAMED_WITHIN)
        return seconds

    def play(self, fault, folder, forwarder=None, **differences):
        group = RankProcesses(folder, TRAIN, **differences)
        group.forwarder = forwarder
        try:
            return self.bits_after(fault, folder, group)
        finally:
            group.end()

    def bits_after(self, fault, folder, group):
        """How long naming it took; the bits."""
        if not fault.at_start:
            group.await_work()
        with fault.strike(group):
            seconds = self.named_after(fault, group)
            if not fault.goes_on:
                codes = group.await_end(ENDED_WITHIN, without=fault.stuck)
                self.assertNotIn(0, [codes[rank] for rank in fault.words], group.texts())
        if fault.goes_on:
            codes = group.await_end(200)
            self.assertEqual([0, 0], codes, group.texts())
            return seconds, group.digest()
        return seconds, self.resumed(folder)

    def campaign(self, fault):
        """A line on what came of it."""
        reason = fault.hindrance()
        if reason:
            return f"{fault.name:18} skipped: {reason}"
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            write_experiment(folder, EPOCHS)
            with (fault.stage or alone)(folder) as differences:
                play = fault.play or (lambda folder: self.play(fault, folder, **differences))
                seconds, digest = play(folder)
        self.assertEqual(self.truth, digest, fault.name)
        return f"{fault.name:18} named after {seconds:4.1f} s, the same bits {'at its end' if fault.goes_on else 'after a resume'}"

    def test_each_is_named_nothing_hangs_and_the_bits_stay(self):
        wanted = os.environ.get("HEARTH_RANK_FAULTS", "")
        names = [fault.name for fault in FAULTS] if wanted == "all" else wanted.split(",") if wanted else SHORT
        faults = [fault for fault in FAULTS if fault.name in names]
        self.assertEqual(sorted(names), sorted(fault.name for fault in faults))
        with concurrent.futures.ThreadPoolExecutor(1 if wanted else len(faults)) as crew:
            for fault, done in [(fault, crew.submit(self.campaign, fault)) for fault in faults]:
                with self.subTest(fault.name):
                    print(done.result(), file=sys.stderr, flush=True)


FAULTS = [
    Fault("kill", {0: rf"rank 1 \(.*{GONE}"}, signal_to(1, signal.SIGKILL)),
    Fault("stop", {0: rf"rank 1 \(.*{GONE}"}, signal_to(1, signal.SIGSTOP), stuck=(1,)),
    Fault("slow", {0: r"rank 0 has waited for 1\d.* for rank 1 \("}, slow_rank, goes_on=True),
    Fault("partition", {0: rf"rank 1 \(.*{GONE}", 1: rf"rank 0 \(.*{GONE}"}, cut_cable, two_hosts, hindrance=without_namespaces),
    Fault("wrong config", {rank: "rank 0 and rank 1 differ in the config(.|\n)*seed" for rank in (0, 1)}, nothing_more,
          other_config, at_start=True),
    Fault("wrong data", {rank: "rank 0 and rank 1 differ in the data of (train|eval)" for rank in (0, 1)}, nothing_more, other_data,
          at_start=True),
    Fault("full disk", {0: "No space left on device"}, full_disk, small_disk, hindrance=without_root),
    Fault("lost rank 0", {1: rf"rank 0 \(.*{GONE}"}, signal_to(0, signal.SIGKILL)),
    Fault("dead store", {1: "rank 0 .*which keeps the store at .* is gone", 0: rf"rank 1 \(.*{GONE}"}, dead_store,
          store_in_between),
    Fault("frozen store", {1: rf"rank 0 .*{GONE}"}, signal_to(0, signal.SIGSTOP), stuck=(0,)),
    Fault("restart storm", {}, play=storm, goes_on=True),
    Fault("clock ahead", {0: r"rank 1 \(.*clock .*jumped"}, clock_jump("+1d"), clock_in_a_file, goes_on=True,
          hindrance=without_fake_time),
    Fault("clock back", {0: r"rank 1 \(.*clock .*jumped"}, clock_jump("-1d"), clock_in_a_file, goes_on=True,
          hindrance=without_fake_time),
    Fault("mismatched binary", {rank: "rank 0 and rank 1 differ in the program" for rank in (0, 1)}, nothing_more, other_program,
          at_start=True),
]
SHORT = ["kill", "wrong config", "wrong data", "lost rank 0"]

if __name__ == "__main__":
    unittest.main()
