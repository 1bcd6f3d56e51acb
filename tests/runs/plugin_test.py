"""Components of a user's own library, named in the config, work in every command."""
import os
import unittest

from hearth_program import DIGITS, SMALL, Folder

PLUGIN = os.environ["HEARTH_TEST_PLUGIN"]


class Plugin(unittest.TestCase):
    def test_a_trace_from_a_plugin_trains_and_its_run_can_be_opened_again(self):
        with Folder() as folder:
            report = folder.json("train", DIGITS, *SMALL, f"plugins=[{PLUGIN}]", "train.traces+={halt: {epoch: 1}}")
            self.assertEqual(("the plugin said so.", 1), (report["stop_reason"], report["epochs"]))
            self.assertIn("eval/accuracy", folder.json("evaluate", report["run"])["metrics"])
            resumed = folder.json("train", "--resume", report["run"])
            self.assertEqual(report["state_sha256"], resumed["state_sha256"])

    def test_its_components_can_be_looked_up(self):
        with Folder() as folder:
            (folder.path / "mine.yaml").write_text(f"plugins: ['{PLUGIN}']\n")
            for words in (["--plugin", PLUGIN], ["--config", "mine.yaml"]):
                self.assertIn("Ends training after some epochs.", folder.run("docs", "halt", *words).stdout)
                self.assertIn("halt", [entry["name"] for entry in folder.json("list", "trace", *words)])
            self.assertIn("Epochs after which", folder.run("docs", "halt.epoch", "--plugin", PLUGIN).stdout)
            self.assertIn('"halt"', folder.run("schema", "--plugin", PLUGIN).stdout)
            shown = folder.json("show", DIGITS, f"plugins=[{PLUGIN}]", "train.traces=[{halt: {epoch: 1}}]")
            self.assertEqual([{"halt": {"epoch": 1}}], shown["train"]["traces"])
            self.assertEqual(2, folder.run("docs", "halt", ok=False).returncode)

    def test_a_library_that_is_not_there_is_named(self):
        with Folder() as folder:
            done = folder.run("train", DIGITS, "plugins=[./libnone.so]", ok=False)
            self.assertEqual(2, done.returncode)
            self.assertIn(f"plugins[0]: there is no file '{folder.path.resolve() / 'libnone.so'}'", done.stderr)


if __name__ == "__main__":
    unittest.main()
