"""`hearth evaluate RUN --follow` measures each checkpoint in another process, and leaves the training alone."""
import json
import subprocess
import time
import unittest

from hearth_program import DIGITS, HEARTH, SMALL, Folder, events

SAVED = ["train.checkpoint={every: 1ep, keep: 50}", "name=watched"]


class FollowedTraining(unittest.TestCase):
    def setUp(self):
        self.folder = Folder()

    def tearDown(self):
        self.folder._folder.cleanup()

    def started(self, *words):
        """A training, and its folder as soon as it is one."""
        process = self.folder.start("train", DIGITS, *SMALL, *SAVED, *words)
        while not (configs := list(self.folder.path.glob("runs/watched-*/config.yaml"))):
            self.assertIsNone(process.poll())
            time.sleep(0.01)
        return process, configs[0].parent

    def lines(self, run):
        return [json.loads(line) for line in (run / "evaluations.jsonl").read_text().splitlines()]

    def follower(self, run, *words):
        return subprocess.Popen([HEARTH, "evaluate", str(run), "--follow", *words], cwd=self.folder.path, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def expect_what_the_training_measured(self, run):
        own = {event["step"]: event["values"] for event in events(run) if event["event"] == "eval"}
        found = {line["step"]: {name.removeprefix("eval/"): value for name, value in line["values"].items()}
                 for line in self.lines(run)}
        self.assertEqual(own, found)

    def test_each_checkpoint_is_measured_once_and_the_training_is_not_disturbed(self):
        training, run = self.started("train.epochs=4")
        follower = self.follower(run, "--json", "--best", "eval/accuracy")
        said, notes = follower.communicate(timeout=120)
        self.assertEqual((0, 0), (training.wait(), follower.returncode), notes)
        self.expect_what_the_training_measured(run)
        self.assertEqual(self.lines(run), [json.loads(line) for line in said.splitlines()])
        self.assertEqual(4, len(self.lines(run)))
        best = max(self.lines(run), key=lambda line: line["values"]["eval/accuracy"])
        self.assertIn(f"best by eval/accuracy: step {best['step']}.", notes)
        measured = self.folder.json("evaluate", str(run), "--checkpoint", "best_evaluated")
        self.assertEqual(best["values"]["eval/accuracy"], measured["metrics"]["eval/accuracy"])

        # A run that nobody looked at has the same log.
        alone = self.folder.json("train", DIGITS, *SMALL, "train.epochs=4")["run"]
        self.assertEqual(events(self.folder.path / alone), events(run))

        # What is known is not measured again; what a kill tore, and a damaged checkpoint, are told apart.
        before = (run / "evaluations.jsonl").read_bytes()
        again = self.folder.run("evaluate", str(run), "--follow")
        self.assertIn("0 measured, 4 known already", again.stderr)
        self.assertEqual(before, (run / "evaluations.jsonl").read_bytes())
        (run / "evaluations.jsonl").write_bytes(before[:-20])
        first, *_, last = sorted((run / "checkpoints").glob("step-*.safetensors"))
        first.write_bytes(first.read_bytes()[:-100])
        once = self.folder.run("evaluate", str(run), "--once")
        self.assertIn(f"{first.stem} is passed over:", once.stderr)
        self.assertIn("1 measured, 2 known already, 1 missed", once.stderr)
        self.expect_what_the_training_measured(run)

        # Another mode and other options are evaluations of their own.
        self.folder.run("evaluate", str(run), "--once", "--every", "1000", "data.batch_size=64")
        changed = self.lines(run)[4:]
        self.assertEqual([["data.batch_size=64"]] * len(changed), [line["details"]["changes"] for line in changed])
        self.assertEqual(int(last.stem.removeprefix("step-")), changed[-1]["step"])

        # Wrong input names what there is.
        for words, code, text in [
                (["--once", "--best", "eval/acuracy", "seed=1"], 2, "Did you mean 'eval/accuracy'?"),
                (["--once", "data.batch_sise=3"], 2, "batch_size"),
                (["--once", "--mode", "test"], 2, "there is nothing to evaluate")]:
            failed = self.folder.run("evaluate", str(run), *words, ok=False)
            self.assertEqual(code, failed.returncode, failed.stderr)
            self.assertIn(text, failed.stderr)

    def test_it_begins_before_the_first_checkpoint_and_ends_when_the_training_is_killed(self):
        training, run = self.started("train.epochs=100000", "train.checkpoint.keep=2")
        self.assertFalse((run / "evaluations.jsonl").exists())
        follower = self.follower(run)
        while not (run / "evaluations.jsonl").exists():
            self.assertIsNone(follower.poll(), "it waits for checkpoints")
            time.sleep(0.05)
        training.kill()
        training.wait()
        _, notes = follower.communicate(timeout=60)
        self.assertEqual(0, follower.returncode, notes)
        self.assertIn("the training is gone", notes)
        self.assertLess(0, len(self.lines(run)))


if __name__ == "__main__":
    unittest.main()
