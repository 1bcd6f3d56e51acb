"""The same bits for any number of processes: shards decide the numbers, ranks and replicas only where they are computed."""
import json
import os
import pathlib
import signal
import socket
import subprocess
import time
import unittest

from hearth_program import DIGITS, EVERYTHING, HEARTH, SOURCE, Folder, events

EXAMPLES = SOURCE / "examples"
ALL_SORTS = str(SOURCE / "tests" / "runs" / "shards.yaml")


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Ranks:
    """Processes that train together, with the variables that any launcher may set."""

    def __init__(self, folder, count, *words):
        port = free_port()
        self.processes = [
            subprocess.Popen([HEARTH, *words, "--json"], cwd=folder.path, text=True, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE,
                             env={**os.environ, "RANK": str(rank), "WORLD_SIZE": str(count),
                                  "LOCAL_RANK": str(rank), "LOCAL_WORLD_SIZE": str(count),
                                  "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)})
            for rank in range(count)]

    def wait(self):
        done = [process.communicate(timeout=200) for process in self.processes]
        return [(process.returncode, *texts) for process, texts in zip(self.processes, done)]

    def report(self):
        results = self.wait()
        for rank, (code, out, err) in enumerate(results):
            if code != 0:
                raise AssertionError(f"rank {rank} ended with {code}\n{out}{err}")
            if rank > 0 and out:
                raise AssertionError(f"rank {rank} printed {out}")
        return json.loads(results[0][1].strip().splitlines()[-1])


class SameBitsForAnyNumberOfRanks(unittest.TestCase):
    def compare(self, words, ranks=(2, 4)):
        with Folder() as folder:
            first = folder.json("train", *words)
            log = events(folder.path / first["run"])
            for count in ranks:
                report = Ranks(folder, count, "train", *words).report()
                self.assertEqual(first["state_sha256"], report["state_sha256"], f"{count} ranks")
                self.assertEqual(log, events(folder.path / report["run"]), f"{count} ranks")

    def test_all_sorts_of_layers_and_uneven_batches(self):
        self.compare([ALL_SORTS])

    def test_batch_norms_of_the_whole_batch(self):
        self.compare([ALL_SORTS, "models.net.defaults={batch_norm2d: {sync: true}}", "train.epochs=2"])

    def test_everything_else_at_once(self):
        self.compare([EVERYTHING, "shards=2"], ranks=(2,))

    def test_two_models_that_train_against_each_other(self):
        self.compare([str(EXAMPLES / "gan.yaml"), "shards=2", "train.epochs=1", "data.train={subset: {of: {digits: {split: train}}, until: 0.2}}"],
                     ranks=(2,))

    def test_any_number_of_replicas(self):
        with Folder() as folder:
            reports = [folder.json("train", ALL_SORTS, f"replicas={n}", f"threads={n}") for n in (1, 2, 4)]
            self.assertEqual(1, len({report["state_sha256"] for report in reports}))

    def test_a_run_goes_on_with_another_number_of_ranks(self):
        with Folder() as folder:
            whole = folder.json("train", ALL_SORTS)
            running = Ranks(folder, 2, "train", ALL_SORTS, "name=killed")
            deadline = time.monotonic() + 60
            while not list(folder.path.glob("runs/killed-*/checkpoints/step-*.safetensors")):
                self.assertLess(time.monotonic(), deadline)
                time.sleep(0.02)
            for process in running.processes:
                process.send_signal(signal.SIGKILL)
            running.wait()
            run = str(next(folder.path.glob("runs/killed-*")))
            report = Ranks(folder, 4, "train", "--resume", run).report()
            self.assertEqual(whole["state_sha256"], report["state_sha256"])
            self.assertEqual(events(folder.path / whole["run"]), events(run))

    def test_a_run_without_shards_gets_as_many_as_ranks_and_keeps_them(self):
        with Folder() as folder:
            report = Ranks(folder, 2, "train", DIGITS, "train.epochs=1").report()
            self.assertIn("shards: 2", (folder.path / report["run"] / "config.yaml").read_text())
            alone = folder.json("train", DIGITS, "train.epochs=1", "shards=2")
            self.assertEqual(alone["weights_sha256"], report["weights_sha256"])

    def test_a_batch_size_is_found_by_all_and_told_by_the_first(self):
        with Folder() as folder:
            found = Ranks(folder, 2, "find", "batch-size", DIGITS, "--from", "32", "--to", "64", "--seconds", "0.02").report()
            self.assertEqual([32, 64], sorted({row["size"] for row in found["rows"]} & {32, 64}))
            self.assertIn(found["suggestion"], [row["size"] for row in found["rows"]])
            self.assertFalse(found["interrupted"])

    def test_a_trained_model_evaluated_and_predicting(self):
        with Folder() as folder:
            run = folder.json("train", DIGITS, "train.epochs=1", "threads=1", "metrics=[accuracy, confusion]")["run"]
            numbers = [word for number in range(150) for word in ("--sample", str(number))]
            for words in (["evaluate", run], ["predict", run, *numbers]):
                alone = folder.json(*words)
                shared = folder.json("launch", "-n", "3", *words)
                for report in (alone, shared):
                    if isinstance(report, dict):
                        for name in ("seconds", "sent_bytes"):
                            report.pop(name, None)
                self.assertEqual(alone, shared, words[0])

    def test_an_error_of_one_that_predicts_ends_all(self):
        with Folder() as folder:
            run = folder.json("train", DIGITS, "train.epochs=1")["run"]
            done = folder.run("launch", "-n", "2", "predict", run, "--sample", "0", "--sample", "100000", ok=False)
            self.assertNotEqual(0, done.returncode)
            self.assertIn("there is no sample 100000", done.stderr)

    def test_more_ranks_than_shards_are_refused_with_the_cure(self):
        with Folder() as folder:
            for code, _, err in Ranks(folder, 3, "train", DIGITS, "shards=2").wait():
                self.assertNotEqual(0, code)
                self.assertIn("there are 3 processes, but shards is 2", err)
                self.assertIn("Start 2 processes at most", err)


if __name__ == "__main__":
    unittest.main()
