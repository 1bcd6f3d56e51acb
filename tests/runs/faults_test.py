"""The whole program beside faults: what it says, how it ends, and that going on is exact."""
import json
import os
import resource
import signal
import subprocess
import time
import unittest

from hearth_program import DIGITS, SMALL, Folder, events

RUN = ["train", DIGITS, *SMALL, "train.checkpoint.every=10st"]


def fault(words):
    """The environment in which a file call of the run fails."""
    return {"LD_PRELOAD": os.environ["HEARTH_FILE_FAULTS"], "HEARTH_FAULT_ROOT": "runs", "HEARTH_FAULT": words}


def heeds(process, number):
    """Whether a process has a handler for a signal."""
    with open(f"/proc/{process.pid}/status") as status:
        caught = next(line for line in status if line.startswith("SigCgt:"))
    return int(caught.split()[1], 16) >> (number - 1) & 1


class Faults(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Folder()
        cls.truth = cls.folder.json(*RUN, "name=truth")

    @classmethod
    def tearDownClass(cls):
        cls.folder._folder.cleanup()

    def assert_same(self, report):
        self.assertEqual(self.truth["state_sha256"], report["state_sha256"])
        self.assertEqual(events(self.folder.path / self.truth["run"]), events(self.folder.path / report["run"]))

    def newest(self, name):
        return str(next(self.folder.path.glob(f"runs/{name}-*")).relative_to(self.folder.path))

    def test_disk_faults_are_noted_and_cost_nothing(self):
        for number, (words, note) in enumerate((
                ("remove step-00000010.safetensors 1 13", "cannot be removed: Permission denied."),
                ("opendir checkpoints 1 13", "Old checkpoints stay."),
                ("write log.jsonl 1 28", "cannot write the run log"),
                ("write draft:step-00000020.safetensors 1 28", "was not saved: Cannot write"))):
            with self.subTest(words):
                done = self.folder.run(*RUN, f"name=fault{number}", environment=fault(words))
                self.assertIn(note, done.stderr)
                self.assert_same(self.folder.json("train", "--resume", self.newest(f"fault{number}")))

    def test_a_run_whose_time_is_up_asks_to_be_resumed_and_goes_on_to_the_same_bits(self):
        budget = "train.traces=[{time_budget: {minutes: 0.0001, whole_epochs: false}}]"
        done = self.folder.run(*RUN, "name=budget", budget, ok=False)
        self.assertEqual(75, done.returncode, done.stderr)  # EX_TEMPFAIL, as after SIGTERM
        resumed = self.folder.run("train", "--resume", self.newest("budget"), "train.traces=[]", "--json")
        report = json.loads(resumed.stdout)
        self.assertEqual(self.truth["weights_sha256"], report["weights_sha256"])

    def test_a_disk_that_stays_full_ends_with_words_and_goes_on_later(self):
        done = self.folder.run(*RUN, "name=full", environment=fault("write draft:step-00000030.safetensors 1 +28"))
        self.assertEqual(0, done.returncode)
        last = sorted((self.folder.path / self.truth["run"] / "checkpoints").glob("step-*"))[-1].name
        done = self.folder.run(*RUN, "name=fuller", ok=False, environment=fault(f"write draft:{last} 1 +28"))
        self.assertEqual(3, done.returncode)
        self.assertIn("could not be saved", done.stderr)
        self.assertIn("hearth train --resume", done.stderr)
        self.assert_same(self.folder.json("train", "--resume", self.newest("fuller")))

    def test_a_reader_that_is_gone_does_not_end_the_training(self):
        process = self.folder.start(*RUN, "name=unread", stderr=subprocess.PIPE)
        process.stderr.close()
        self.assertEqual(0, process.wait(timeout=60))
        self.assert_same(self.folder.json("train", "--resume", self.newest("unread")))

    def test_files_that_may_not_grow_are_an_error_with_words(self):
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))
        done = self.folder.run(*RUN, "name=limited", ok=False, preexec_fn=limit)
        self.assertEqual(3, done.returncode, done.stderr)
        self.assertIn("File too large", done.stderr)
        self.assert_same(self.folder.json("train", "--resume", self.newest("limited")))

    def test_evaluation_heeds_ctrl_c(self):
        run = self.folder.json("train", DIGITS, *SMALL, "train.epochs=1", "name=drawn", "data.ops=[]",
                               *(f"data.{mode}={{synthetic: {{size: 64, shape: [1, 8, 8]}}}}" for mode in ("train", "eval")))["run"]
        process = self.folder.start("evaluate", run, "data.batch_size=1",
                                    "data.eval={synthetic: {size: 100000000, shape: [1, 8, 8]}}")
        while process.poll() is None and not heeds(process, signal.SIGINT):
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        self.assertEqual(130, process.wait(timeout=60))

    def test_a_dry_run_of_a_resume_names_changes_and_writes_nothing(self):
        run = self.folder.path / self.truth["run"]
        before = {path: path.stat().st_mtime_ns for path in run.rglob("*")}
        done = self.folder.run("train", "--resume", self.truth["run"], "--dry-run", "train.epochs=5")
        self.assertIn("change: train.epochs: 2 then, 5 now", done.stdout)
        self.assertIn("it would go on from step-", done.stdout)
        self.assertEqual(before, {path: path.stat().st_mtime_ns for path in run.rglob("*")})

    def test_a_config_changed_by_hand_is_named_by_every_command_that_opens_the_folder(self):
        self.folder.run("export", self.truth["run"], "model")
        config = self.folder.path / "model" / "config.yaml"
        config.write_text(config.read_text().replace("seed: 0", "seed: 7"))
        for words in (["evaluate", "model"], ["predict", "model", "--sample", "1"], ["export", "model", "again"]):
            done = self.folder.run(*words, ok=False)
            self.assertEqual(2, done.returncode, done.stderr)
            self.assertIn("seed: 0 then, 7 now", done.stderr)
            self.folder.run(*words, "--accept-changes")
        done = self.folder.run("train", "--resume", "model", ok=False)
        self.assertEqual(3, done.returncode)
        self.assertIn("is an exported model, not a run", done.stderr)


if __name__ == "__main__":
    unittest.main()
