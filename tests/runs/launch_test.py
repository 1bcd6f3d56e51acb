"""`hearth launch`: signals reach all ranks, what is lost is started again, contradictions are refused."""
import os
import pathlib
import signal
import subprocess
import unittest

from hearth_program import DIGITS, HEARTH, SMALL, Folder
from rank_processes import Launch, await_true, digest_of, write_experiment

TRAIN = ["train", "ranks.yaml", "--json"]
SHARDED = [DIGITS, *SMALL, "shards=2", "train.warm_up=false"]


class LaunchCommand(unittest.TestCase):
    def setUp(self):
        self.folder = Folder()
        self.addCleanup(self.folder.__exit__)

    def launch(self, *words):
        launch = Launch(self.folder.path, *words, *TRAIN)
        self.addCleanup(launch.end)
        return launch

    def at_work(self, launch):
        await_true("a checkpoint", launch.checkpoints, 60, launch.text)
        return launch.ranks()

    def test_it_starts_all_again_after_a_loss_to_the_same_bits(self):
        write_experiment(self.folder.path, 30)
        alone = subprocess.run([HEARTH, *TRAIN], cwd=self.folder.path, text=True, capture_output=True, check=True, timeout=60)
        subprocess.run(["rm", "-r", "runs"], cwd=self.folder.path, check=True)
        launch = self.launch("-n", "2", "--restarts", "1")
        os.kill(self.at_work(launch)[1], signal.SIGKILL)
        self.assertEqual(0, launch.process.wait(120), launch.text())
        self.assertIn("rank 1 was ended by a signal (9", launch.text())
        self.assertIn("starting again with 2 ranks, from the last checkpoint of", launch.text())
        self.assertEqual(digest_of(alone.stdout), launch.digest())

    def test_ctrl_c_saves_once_and_ends_all(self):
        write_experiment(self.folder.path, 4000)
        launch = self.launch("-n", "2")
        ranks = self.at_work(launch)
        launch.process.send_signal(signal.SIGINT)
        self.assertEqual(130, launch.process.wait(60), launch.text())
        self.assertEqual([], [rank for rank in ranks.values() if pathlib.Path(f"/proc/{rank}").exists()])

    def test_numbers_of_flags_are_no_files(self):
        report = self.folder.json("launch", "-n", "2", "train", *SHARDED, "--limit", "100")
        self.assertEqual(4, report["steps"])

    def test_contradictions_are_refused_by_name(self):
        done = self.folder.run("train", *SHARDED, ok=False,
                               environment={"RANK": "2", "WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1"})
        self.assertEqual(2, done.returncode)
        self.assertIn("RANK=2, WORLD_SIZE=2", done.stderr)
        for words, part in ((["-n", "2"], "needs a command"), (["train", DIGITS], "say how many ranks"),
                            (["-n", "2", "--hosts", "a,b", "--node-rank", "0", "train", DIGITS], "secret"),
                            (["--elastic", "4:2", "train", DIGITS], "MIN:MAX")):
            done = self.folder.run("launch", *words, ok=False)
            self.assertEqual(2, done.returncode)
            self.assertIn(part, done.stderr)


if __name__ == "__main__":
    unittest.main()
