"""Trials of an experiment: less data, a look at every value, a profile that other programs read."""
import json
import unittest

from hearth_program import DIGITS, SMALL, Folder


class Trials(unittest.TestCase):
    def test_a_trial_runs_everything_and_keeps_nothing(self):
        with Folder() as folder:
            report = folder.json("train", DIGITS, *SMALL, "--fast-dev-run", "2")
            self.assertEqual((1, 2), (report["epochs"], report["steps"]))
            self.assertIn("eval/accuracy", report["metrics"])
            self.assertEqual([], list(folder.path.iterdir()))

    def test_a_trial_is_followed_by_the_training(self):
        with Folder() as folder:
            ended = folder.run("train", DIGITS, "train.epochs=1", "--fast-dev-run")
            self.assertEqual(f"next: hearth train {DIGITS} train.epochs=1", ended.stderr.splitlines()[-1])

    def test_less_data_is_part_of_the_runs_config(self):
        with Folder() as folder:
            few = folder.json("train", DIGITS, *SMALL, "--overfit-batches", "1", "--detect-anomaly")
            self.assertEqual(2, few["steps"])
            limited = folder.json("train", DIGITS, *SMALL, "--limit", "100")
            self.assertEqual(4, limited["steps"])  # two batches, of 64 and of 36
            self.assertIn("count: 100", (folder.path / limited["run"] / "config.yaml").read_text())
            both = folder.run("train", DIGITS, "--limit", "100", "--fast-dev-run", ok=False)
            self.assertEqual(2, both.returncode)
            self.assertIn("give one of them", both.stderr)

    def test_learning_by_heart_is_measured_by_the_names_that_traces_watch(self):
        named = ["data.train={a: {digits: {split: train}}}",
                 "data.eval={clean: {digits: {split: test}}, rest: {digits: {split: train}}}",
                 "train.traces=[{best_model: {monitor: eval.clean/accuracy}}]"]
        with Folder() as folder:
            metrics = folder.json("train", DIGITS, *SMALL, *named, "--overfit-batches", "1")["metrics"]
            self.assertEqual(metrics["eval.clean/loss"], metrics["eval.rest/loss"])

    def test_what_commands_say_is_no_result(self):
        with Folder() as folder:
            done = folder.run("train", DIGITS, *SMALL, "train.epochs=1", "train.commands={before: [echo hello]}",
                              "--allow-commands", "--json")
            self.assertEqual(1, json.loads(done.stdout)["epochs"])
            self.assertIn("hello\n", done.stderr)

    def test_a_profile_is_a_trace_that_browsers_read(self):
        with Folder() as folder:
            folder.run("train", DIGITS, *SMALL, "--profile", "2", "--chrome-trace", "calls.json")
            calls = json.loads((folder.path / "calls.json").read_text())["traceEvents"]
            self.assertIn("backward", {call["cat"] for call in calls})
            self.assertTrue(all(call["ph"] == "X" and call["dur"] >= 0 for call in calls))


if __name__ == "__main__":
    unittest.main()
