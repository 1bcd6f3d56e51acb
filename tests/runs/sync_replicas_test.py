"""Steps that are made of the gradients which come first: a slow process is not waited for, all end with the same weights."""
import json
import os
import pathlib
import re
import signal
import tempfile
import threading
import time
import unittest

from hearth_program import DIGITS, Folder, events
from rank_processes import Launch, await_true, write_experiment

SPARE = "sync_replicas={aggregate: 2, total: 3}"


class Throttle:
    """Lets a process run for a part of the time only, while it lives."""

    def __init__(self, pid, runs=0.01, stands=0.09):
        self.pid, self.runs, self.stands, self.ends = pid, runs, stands, threading.Event()
        self.thread = threading.Thread(target=self.work)
        self.thread.start()

    def work(self):
        try:
            while not self.ends.is_set():
                os.kill(self.pid, signal.SIGSTOP)
                time.sleep(self.stands)
                os.kill(self.pid, signal.SIGCONT)
                time.sleep(self.runs)
        except ProcessLookupError:
            pass

    def end(self):
        self.ends.set()
        self.thread.join()


def report_of(launch):
    return json.loads(pathlib.Path(f"{launch.console}.out").read_text().strip().splitlines()[-1])


def await_end(test, launch, seconds=150):
    await_true("the end", lambda: launch.process.poll() is not None, seconds, launch.text)
    test.assertEqual(0, launch.process.returncode, launch.text())
    return report_of(launch)


def gathered(run):
    return {event["step"]: event["details"]["slots"] for event in events(run) if event["event"] == "gathered"}


class SyncReplicas(unittest.TestCase):
    def run_launch(self, folder, *words):
        launch = Launch(folder.path, *words, "--json")
        try:
            return await_end(self, launch), launch
        finally:
            launch.end()

    def test_without_spare_processes_the_bits_are_those_of_as_many_shards(self):
        with Folder() as folder:
            for ranks, aggregate in ((2, 2), (2, 5), (3, 3)):
                plain = folder.json("train", DIGITS, "train.epochs=1", f"shards={aggregate}")
                report, _ = self.run_launch(folder, "-n", str(ranks), "train", DIGITS, "train.epochs=1",
                                            f"sync_replicas={{aggregate: {aggregate}, total: {ranks}}}")
                self.assertEqual(plain["state_sha256"], report["state_sha256"], f"{ranks} of {aggregate}")

    def test_a_slow_process_is_left_out_counted_and_named_and_holds_nobody_up(self):
        with Folder() as folder:
            launch = Launch(folder.path, "-n", "3", "train", DIGITS, "train.epochs=10", "train.checkpoint.every=200st", SPARE, "--json")
            throttle = None
            try:
                await_true("the ranks", lambda: len(launch.ranks()) == 3, 60, launch.text)
                await_true("a run", lambda: list(folder.path.glob("runs/*/log.jsonl")), 60, launch.text)
                throttle = Throttle(launch.ranks()[2])
                report = await_end(self, launch)
            finally:
                if throttle:
                    throttle.end()
                launch.end()
            run = folder.path / report["run"]
            steps = gathered(run)
            self.assertEqual(list(range(1, report["steps"] + 1)), sorted(steps), "every step is on record")
            self.assertEqual({2}, {len(slots) for slots in steps.values()})
            missed = [event["values"]["left_out/rank_2"] for event in events(run) if event["event"] == "epoch"][-1]
            self.assertGreater(missed, report["steps"] / 4)
            told = re.search(r"rank 2 had no part in (\d+) of (\d+) steps \(too late and dropped: (\d+)",
                             launch.text())
            self.assertTrue(told, launch.text())
            self.assertEqual((missed, report["steps"]), (int(told[1]), int(told[2])))
            # That all processes hold the same is compared at every checkpoint; a difference ends the run.
            self.assertGreater(report["metrics"]["eval/accuracy"], 0.95)

            # What the log says is enough to make the run again, in one process.
            again = folder.run("recreate", report["run"])
            self.assertIn("every bit that both folders hold is the same", again.stdout)

    def test_a_killed_process_is_named_also_with_one_to_spare_and_the_run_goes_on(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            write_experiment(folder / "work", epochs=200, shards=3)
            launch = Launch(folder / "work", "-n", "3", "train", "ranks.yaml", SPARE, "--json")
            try:
                await_true("a checkpoint", lambda: launch.checkpoints() or launch.process.poll() is not None, 90, launch.text)
                os.kill(launch.ranks()[1], signal.SIGKILL)
                await_true("rank 1 is named", lambda: re.search(r"rank 1 \(.*killed, is stopped, or cannot be reached", launch.text()),
                           15, launch.text)
                await_true("the end", lambda: launch.process.poll() is not None, 40, launch.text)
            finally:
                launch.end()
            self.assertNotEqual(0, launch.process.returncode)
            run = next((folder / "work").glob("runs/*"))
            resumed = Launch(folder / "work", "-n", "3", "train", "--resume", str(run), "train.epochs=20", "--json")
            try:
                report = await_end(self, resumed)
            finally:
                resumed.end()
            self.assertEqual(list(range(1, report["steps"] + 1)), sorted(gathered(run)))

    def test_an_interrupt_is_heard_and_the_run_goes_on(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name) / "work"
            write_experiment(folder, epochs=30, shards=3)
            launch = Launch(folder, "-n", "3", "train", "ranks.yaml", SPARE, "--json")
            try:
                await_true("a checkpoint", lambda: launch.checkpoints() or launch.process.poll() is not None, 90, launch.text)
                launch.process.send_signal(signal.SIGTERM)
                await_true("the end", lambda: launch.process.poll() is not None, 40, launch.text)
            finally:
                launch.end()
            self.assertEqual(75, launch.process.returncode, launch.text())
            resumed = Launch(folder, "-n", "3", "train", "--resume", str(next(folder.glob("runs/*"))), "--json")
            try:
                self.assertEqual(30, await_end(self, resumed)["epochs"])
            finally:
                resumed.end()

    def test_another_number_of_processes_is_refused_with_the_cure(self):
        with Folder() as folder:
            done = folder.run("launch", "-n", "2", "train", DIGITS, SPARE, ok=False)
            self.assertNotEqual(0, done.returncode)
            self.assertIn("sync_replicas.total: is 3, but there are 2 processes", done.stderr)
            self.assertIn("hearth launch -n 3", done.stderr)
            alone = folder.run("train", DIGITS, SPARE, ok=False)
            self.assertEqual(2, alone.returncode)
            self.assertIn("sync_replicas.total: is 3, but there is 1 process", alone.stderr)
            self.assertEqual([], list(folder.path.glob("runs/*")), "nothing was begun")


if __name__ == "__main__":
    unittest.main()
