"""Checkpoints as files, and runs gone through again: what the commands say, and what they leave alone."""
import json
import shutil
import unittest

from hearth_program import DIGITS, SMALL, Folder

RUN = [DIGITS, *SMALL, "train.checkpoint.every=10st", "train.traces=[{best_model: {monitor: eval/accuracy}}, "
       "{ledger: {interval: 5st}}]"]


class Rerun(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Folder()
        cls.report = cls.folder.json("train", *RUN)
        cls.run_folder = cls.report["run"]

    @classmethod
    def tearDownClass(cls):
        cls.folder._folder.cleanup()

    def copy_of_run(self, name):
        target = self.folder.path / "runs" / name
        shutil.copytree(self.folder.path / self.run_folder, target)
        return target

    def test_an_average_is_a_checkpoint_that_can_be_evaluated(self):
        made = self.folder.json("ckpt", "average", self.run_folder, "--name", "averaged")
        self.assertEqual(2, made["checkpoints"])
        self.assertIn("eval/accuracy", self.folder.json("evaluate", self.run_folder, "--checkpoint", "averaged")["metrics"])
        self.assertEqual(0, self.folder.json("ckpt", "verify", self.run_folder)["damaged"])

    def test_prune_counts_only_what_is_whole(self):
        run = self.copy_of_run("pruned")
        newest = sorted((run / "checkpoints").glob("step-*"))[-1]
        damaged = bytearray(newest.read_bytes())
        damaged[len(damaged) // 2] ^= 1
        newest.write_bytes(damaged)
        self.assertEqual(1, self.folder.run("ckpt", "verify", str(run), ok=False).returncode)
        pruned = self.folder.json("ckpt", "prune", str(run), "--keep", "1")
        self.assertEqual([], pruned["removed"], "the damaged one must not cost the good one behind it")
        pruned = self.folder.json("ckpt", "prune", str(run), "--keep", "1", "--damaged")
        self.assertEqual([newest.stem], pruned["removed"])
        self.assertTrue((run / "checkpoints" / "best.safetensors").exists())
        self.assertEqual(self.report["state_sha256"], self.folder.json("train", "--resume", str(run))["state_sha256"])

    def test_a_run_that_trains_is_not_pruned(self):
        process = self.folder.start("train", *RUN, "name=busy", "train.epochs=2000")
        try:
            while not (runs := list(self.folder.path.glob("runs/busy-*/checkpoints/step-*"))):
                self.assertIsNone(process.poll())
            done = self.folder.run("ckpt", "prune", str(runs[0].parent.parent), ok=False)
            self.assertEqual(3, done.returncode)
            self.assertIn("is in use by process", done.stderr)
        finally:
            process.kill()
            process.wait()

    def test_bisect_names_the_step_and_the_option(self):
        other = self.folder.json("train", *RUN, "name=other", "seed=1")
        found = self.folder.run("bisect", self.run_folder, other["run"], "--json", ok=False)
        self.assertEqual(1, found.returncode)
        found = json.loads(found.stdout)
        self.assertEqual(1, found["parting"]["step"])
        self.assertTrue(any("seed" in line for line in found["folders"]["config"]))

    def test_recreate_proves_the_bits_and_replay_shows_a_step(self):
        recreated = self.folder.json("recreate", self.run_folder)
        self.assertTrue(recreated["is_equal"])
        self.assertGreater(recreated["ledger_entries"], 5)
        grid = self.folder.path / "batch.png"
        replay = self.folder.json("replay", self.run_folder, "--step", "13", "--grid", str(grid))
        self.assertEqual([], replay["log_differences"])
        self.assertEqual(64, len(replay["samples"]))
        self.assertTrue(grid.read_bytes().startswith(b"\x89PNG"))
        done = self.folder.run("replay", self.run_folder, "--step", "100000", ok=False)
        self.assertEqual(3, done.returncode)
        self.assertIn("there is no step 100000", done.stderr)

    def test_recreate_names_a_library_that_was_told_to_compute_otherwise(self):
        done = self.folder.run("recreate", self.run_folder, "--json", ok=False,
                               environment={"ATEN_CPU_CAPABILITY": "default"})
        machine = json.loads(done.stdout.strip().splitlines()[-1])["machine"]
        self.assertIn("ATEN_CPU_CAPABILITY=default", "".join(line for line in machine if line.startswith("environment")))

    def test_a_run_whose_bits_hang_on_its_processes_is_recreated_by_as_many(self):
        with Folder() as folder:
            words = [DIGITS, *SMALL, "train.epochs=1", "exchange=bfloat16"]
            run = folder.json("launch", "-n", "2", "train", *words)["run"]
            self.assertTrue(folder.json("launch", "-n", "2", "recreate", run)["is_equal"])
            alone = json.loads(folder.run("recreate", run, "--json", ok=False).stdout)
            self.assertFalse(alone["is_equal"])
            self.assertIn("processes", "".join(alone["machine"]))


if __name__ == "__main__":
    unittest.main()
