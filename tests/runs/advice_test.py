"""What a command advises can be followed: the next thing to type works, a misspelt word finds its name."""
import json
import shlex
import unittest

from hearth_program import DIGITS, SMALL, Folder

STEPS = """steps:
  - drop_duplicates
  - balance: {how: drop}
"""


class Advice(unittest.TestCase):
    def test_what_comes_after_a_training_without_evaluation_works(self):
        with Folder() as folder:
            said = folder.run("train", DIGITS, *SMALL, "train.epochs=1", "train.traces=[]", "data.eval=null").stderr
            commands = [line.replace("next:", "").strip() for line in said.splitlines() if " hearth " in f" {line.strip()} "]
            self.assertEqual(["predict", "evaluate", "export"], [shlex.split(command)[1] for command in commands])
            for command in commands:
                folder.run(*shlex.split(command)[1:])

    def test_a_misspelt_architecture_finds_its_name(self):
        with Folder() as folder:
            said = folder.run("summary", "resnt", ok=False)
            self.assertEqual(2, said.returncode)
            self.assertIn("There is no config, run or architecture 'resnt'. Did you mean 'resnet'?", said.stderr)

    def test_steps_of_cleaning_may_be_names_alone_and_are_explained(self):
        with Folder() as folder:
            (folder.path / "steps.yaml").write_text(STEPS)
            cleaned = folder.json("data", "clean", DIGITS, "steps.yaml", "-o", "cleaned.yaml")
            self.assertIn("train", cleaned["sets"])
            folder.run("check", DIGITS, "cleaned.yaml")
            run = folder.json("train", DIGITS, "cleaned.yaml", *SMALL, "train.epochs=1")["run"]
            kept = json.loads((folder.path / run / "provenance.json").read_text())
            self.assertEqual([cleaned], list(kept.values()))
            self.assertIn("steps[].balance.how", folder.run("docs", "steps").stdout)
            (folder.path / "steps.yaml").write_text("steps: [drop_duplicate]")
            said = folder.run("data", "clean", DIGITS, "steps.yaml", "-o", "cleaned.yaml", ok=False)
            self.assertEqual(2, said.returncode)
            self.assertIn("Did you mean 'drop_duplicates'?", said.stderr)


if __name__ == "__main__":
    unittest.main()
