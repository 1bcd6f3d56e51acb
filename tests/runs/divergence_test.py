"""A training that diverges, as a person meets it: what is said, what is kept, what refuses to go on."""
import json
import math
import unittest

from hearth_program import DIGITS, Folder

# The first step's loss is finite; its update is not.
DIVERGES = [DIGITS, "model={mlp: {hidden: [16]}}", "optimizer.sgd.lr=1e30", "train.epochs=3"]
STOPPED = "epoch 1 of 3, step 2: the loss 'loss' is nan"


def strict(text):
    """Parses JSON that has no NaN and no infinity, as the standard wants it."""
    def refuse(word):
        raise AssertionError(f"{word} is not JSON: {text}")
    return json.loads(text, parse_constant=refuse)


def lines(run, name):
    return [strict(line) for line in (run / name).read_text().splitlines()]


class Divergence(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Folder()
        cls.folder.run("train", *DIVERGES, "train.on_nan=warn", "folder=warned")
        cls.warned = cls.only_run("warned")

    @classmethod
    def tearDownClass(cls):
        cls.folder._folder.cleanup()

    @classmethod
    def only_run(cls, folder):
        (run,) = (cls.folder.path / folder).iterdir()
        return run

    def stopped(self, *words):
        done = self.folder.run("train", *words, ok=False)
        self.assertEqual(3, done.returncode, done.stderr)
        return done.stderr

    def test_it_stops_and_says_where_and_what_to_do(self):
        for name, words in {"plain": [], "replicas": ["replicas=2"], "rarely": ["train.log_every=9"]}.items():
            error = self.stopped(*DIVERGES, *words, f"folder={name}")
            for part in (STOPPED, "Lower the learning rate (1e+30 of net)", "clip_norm", "train.on_nan=warn"):
                self.assertIn(part, error)
            log = lines(self.only_run(name), "log.jsonl")
            self.assertNotIn("epoch", [event["event"] for event in log])
            if name != "rarely":
                self.assertEqual("nan", log[-1]["values"]["loss"])

    def test_nothing_is_saved_after_it_and_resume_says_so(self):
        self.stopped(*DIVERGES, "train.checkpoint.every=1st", "folder=saved")
        run = self.only_run("saved")
        self.assertEqual(["diverged.safetensors"], [file.name for file in (run / "checkpoints").iterdir()])
        self.assertEqual("diverged", lines(run, "history.jsonl")[-1]["event"])
        error = self.stopped("--resume", str(run))
        self.assertIn(f"note: the run stopped at {STOPPED}, and nothing was saved after it.", error)

    def test_a_lower_rate_goes_on_from_the_last_good_checkpoint(self):
        steep = [*DIVERGES[:2], "optimizer.sgd.lr={piecewise: {values: [0.1, 1e30], at: [9st]}}", "train.epochs=3"]
        self.assertIn("that of step 9", self.stopped(*steep, "train.checkpoint.every=1st", "folder=lowered"))
        run = self.only_run("lowered")
        done = self.folder.run("train", "--resume", str(run), "models.net.optimizer.sgd.lr=0.1", "--json")
        self.assertTrue(math.isfinite(strict(done.stdout)["metrics"]["eval/loss"]))
        self.assertEqual(list(range(1, 70)), [event["step"] for event in lines(run, "log.jsonl") if event["event"] == "step"])

    def test_warn_goes_on_and_says_so_once_an_epoch(self):
        done = self.folder.run("train", *DIVERGES, "train.on_nan=warn", "folder=early",
                               "train.traces=[{best_model: {monitor: eval/loss}}, {early_stopping: {patience: 2}}, progress]")
        self.assertEqual(2, done.stderr.count("the loss 'loss' is nan"))
        self.assertIn("eval/loss has not improved for 2 epochs; it was never a finite number.", done.stdout)
        self.assertIn("eval/loss was never a finite number, so there is no checkpoint 'best'.", done.stderr)
        self.assertNotIn("-nan", done.stdout + done.stderr)
        self.assertEqual("nan", lines(self.only_run("early"), "log.jsonl")[-1]["values"]["loss"])

    def test_ignore_is_silent_and_json_stays_json(self):
        done = self.folder.run("train", *DIVERGES, "train.on_nan=ignore", "folder=ignored", "--json")
        self.assertEqual("", done.stderr)
        self.assertIsNone(strict(done.stdout)["metrics"]["train/loss"])
        lines(self.only_run("ignored"), "history.jsonl")

    def test_evaluate_prints_the_value_and_fails(self):
        for words in ([], ["--json"]):
            done = self.folder.run("evaluate", str(self.warned), *words, ok=False)
            self.assertEqual(3, done.returncode)
            self.assertIn("eval/loss is nan, not a finite number", done.stderr)
            self.assertIn("eval/loss", done.stdout)
        self.assertIsNone(strict(done.stdout)["metrics"]["eval/loss"])

    def test_predict_refuses_scores_that_are_not_finite(self):
        done = self.folder.run("predict", str(self.warned), "--sample", "3", ok=False)
        self.assertEqual((3, ""), (done.returncode, done.stdout))
        self.assertIn("the model's output 'probability' holds nan, which is no prediction", done.stderr)

    def test_predict_refuses_input_that_is_not_finite_and_names_it(self):
        run = self.folder.json("train", *DIVERGES[:2], "train.epochs=1", "folder=sound")["run"]
        for word, name in {"nan": "nan", "-inf": "-inf", "1e300": "inf"}.items():
            rows = [["0.5"] * 64, ["0.5"] * 64]
            rows[1][16] = word
            (self.folder.path / "rows.csv").write_text("\n".join(",".join(row) for row in rows))
            done = self.folder.run("predict", run, "rows.csv", ok=False)
            self.assertEqual((3, ""), (done.returncode, done.stdout))
            self.assertIn(f"rows.csv row 2: number 17 of 64 is {name} as float32", done.stderr)


if __name__ == "__main__":
    unittest.main()
