"""Killing a run anywhere and resuming ends in the same bits as never having been killed."""
import random
import signal
import time
import unittest

from hearth_program import DIGITS, SMALL, Folder, events

KILLS = 20
# Long enough that most kills fall into the training.
LONG = [*SMALL, "train.epochs=5", "train.checkpoint.every=7st"]


class KillAndResume(unittest.TestCase):
    def test_weights_optimizer_and_log_are_those_of_an_uninterrupted_run(self):
        chance = random.Random(4)
        killed = 0
        with Folder() as folder:
            truth = folder.json("train", DIGITS, *LONG, "name=truth")
            started = time.monotonic()
            again = folder.json("train", DIGITS, *LONG, "name=again")
            seconds = time.monotonic() - started
            self.assertEqual(truth["state_sha256"], again["state_sha256"])
            attempt = 0
            while killed < KILLS:
                attempt += 1
                self.assertLess(attempt, 5 * KILLS, "the runs end before they can be killed")
                run = self.kill_once(folder, f"victim{attempt}", chance.uniform(0.4, 0.98) * seconds)
                if run is None:
                    seconds *= 0.99  # it was done already, or not begun: the machine's pace has changed
                    continue
                killed += 1
                # Some runs are killed again while they go on.
                if killed % 3 == 0 and killed < KILLS:
                    killed += self.kill(folder.start("train", "--resume", run), chance.uniform(0.3, 0.9) * seconds)
                report = folder.json("train", "--resume", run)
                self.assertEqual(truth["state_sha256"], report["state_sha256"], f"kill {killed}")
                self.assertEqual(events(folder.path / truth["run"]), events(folder.path / run))
                self.assertEqual([], list((folder.path / run / "checkpoints").glob(".draft*")))

    def kill_once(self, folder, name, seconds):
        process = folder.start("train", DIGITS, *LONG, f"name={name}")
        if not self.kill(process, seconds):
            return None
        runs = [path for path in folder.path.glob(f"runs/{name}-*") if (path / "config.yaml").exists()]
        return str(runs[0].relative_to(folder.path)) if runs else None

    @staticmethod
    def kill(process, seconds):
        """True when the process was still at work."""
        time.sleep(seconds)
        process.send_signal(signal.SIGKILL)
        return process.wait() == -signal.SIGKILL

    def test_ctrl_c_saves_and_resuming_ends_in_the_same_bits(self):
        with Folder() as folder:
            truth = folder.json("train", DIGITS, *SMALL, "name=truth", "train.epochs=20")
            process = folder.start("train", DIGITS, *SMALL, "name=stopped", "train.epochs=20")
            while not list(folder.path.glob("runs/stopped-*/log.jsonl")):
                time.sleep(0.02)
            time.sleep(0.3)
            process.send_signal(signal.SIGINT)
            self.assertEqual(130, process.wait(timeout=30))
            report = folder.json("train", "--resume")
            self.assertEqual(truth["state_sha256"], report["state_sha256"])

    def test_a_damaged_checkpoint_is_skipped_for_the_one_before(self):
        with Folder() as folder:
            truth = folder.json("train", DIGITS, *LONG)
            checkpoints = sorted((folder.path / truth["run"] / "checkpoints").glob("step-*"))
            self.assertEqual(2, len(checkpoints))
            damaged = bytearray(checkpoints[-1].read_bytes())
            damaged[len(damaged) // 2] ^= 1
            checkpoints[-1].write_bytes(damaged)
            done = folder.run("train", "--resume", truth["run"], "--json")
            self.assertIn("skipped a checkpoint", done.stderr)
            self.assertIn(truth["state_sha256"], done.stdout)


if __name__ == "__main__":
    unittest.main()
