"""`hearth log` shows what a run measured, follows one that trains, and has the tables of metrics in its JSON."""
import json
import subprocess
import time
import unittest

from hearth_program import DIGITS, HEARTH, SMALL, Folder


class Log(unittest.TestCase):
    def setUp(self):
        self.folder = Folder()

    def tearDown(self):
        self.folder._folder.cleanup()

    def trained(self, *words):
        return json.loads(self.folder.run("train", DIGITS, *SMALL, *words, "--json").stdout)["run"]

    def test_epochs_are_rows(self):
        shown = self.folder.run("log", self.trained("train.epochs=2")).stdout.splitlines()
        self.assertEqual(["train", "eval", "train", "eval"], [line.split()[4] for line in shown])
        self.assertIn("accuracy", shown[-1])

    def test_tables_are_in_the_log_and_in_evaluate(self):
        run = self.trained("train.epochs=1", "metrics+=f1", "metrics+=confusion")
        events = json.loads(self.folder.run("log", run, "--json").stdout)["events"]
        tables = [event["details"] for event in events if event["event"] == "table"]
        self.assertEqual(["train/confusion", "train/f1", "eval/confusion", "eval/f1"],
                         [table["name"] for table in tables])
        measured = json.loads(self.folder.run("evaluate", run, "--json").stdout)
        self.assertEqual(10, len(measured["tables"]["eval/confusion"]["cells"]))
        self.assertIn("eval/f1/macro", measured["metrics"])
        page = self.folder.run("evaluate", run).stdout
        self.assertIn("true \\ predicted", page)

    def test_it_follows_until_the_run_ends(self):
        run = self.trained("train.epochs=1")
        followed = self.folder.run("log", run, "--follow", "--json").stdout.splitlines()
        self.assertEqual(["epoch", "eval"], [json.loads(line)["event"] for line in followed])

    def test_it_stops_following_when_the_process_is_gone(self):
        process = self.folder.start("train", DIGITS, *SMALL, "train.epochs=100000", "name=victim")
        while not (logs := list(self.folder.path.glob("runs/victim-*/log.jsonl"))):
            self.assertIsNone(process.poll())
            time.sleep(0.01)
        run = str(logs[0].parent.relative_to(self.folder.path))
        follower = subprocess.Popen([HEARTH, "log", run, "--follow"], cwd=self.folder.path, text=True,
                                    stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        time.sleep(0.5)
        self.assertIsNone(follower.poll(), "it follows while the run trains")
        process.kill()
        process.wait()
        _, said = follower.communicate(timeout=60)
        self.assertEqual(0, follower.returncode)
        self.assertIn("the training is gone", said)
        self.assertIn(f"hearth train --resume {run}", said)

    def test_a_folder_without_a_log_is_named(self):
        failed = self.folder.run("log", "nowhere", ok=False)
        self.assertEqual(3, failed.returncode)
        self.assertIn("nowhere/log.jsonl is not there", failed.stderr)


if __name__ == "__main__":
    unittest.main()
