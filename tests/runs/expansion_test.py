"""What a run keeps of tables and techniques: its config stands alone, and another file is noticed."""
import unittest

from hearth_program import DIGITS, SMALL, Folder

TABLE = "optimizer={adamw: {lr: {table: {file: rates.csv, interpolation: linear}}}}"
TECHNIQUES = "techniques=[{label_smoothing: {amount: 0.05}}, mixup, {average: {decay: 0.9}}]"


class Expansion(unittest.TestCase):
    def folder(self):
        folder = Folder()
        self.addCleanup(folder._folder.cleanup)
        return folder

    def test_a_run_does_not_go_on_with_another_table(self):
        folder = self.folder()
        rates = folder.path / "rates.csv"
        rates.write_text("epoch,value\n0,0.004\n2,0.001\n")
        run = folder.json("train", DIGITS, *SMALL, TABLE)["run"]
        rates.write_text("epoch,value\n0,0.004\n2,0.002\n")
        refused = folder.run("train", "--resume", run, "train.epochs=3", ok=False)
        self.assertEqual(refused.returncode, 3, refused.stderr)
        self.assertIn("rates.csv is not the file that this config was made with", refused.stderr)
        rates.write_text("epoch,value\n0,0.004\n2,0.001\n")
        folder.run("train", "--resume", run, "train.epochs=3")

    def test_a_prediction_needs_no_table(self):
        folder = self.folder()
        (folder.path / "rates.csv").write_text("0,0.004\n")
        run = folder.json("train", DIGITS, *SMALL, TABLE)["run"]
        (folder.path / "rates.csv").unlink()
        folder.run("predict", run, "--sample", "7")

    def test_a_run_holds_what_techniques_made(self):
        folder = self.folder()
        words = [DIGITS, "model={mlp: {hidden: [16]}}", "train.epochs=1"]
        run = folder.json("train", *words, TECHNIQUES)["run"]
        config = (folder.path / run / "config.yaml").read_text()
        self.assertNotIn("techniques", config)
        for made in ("label_smoothing: 0.05", "mixup: {key: image", "average: 0.9"):
            self.assertIn(made, config)
        folder.run("train", "--resume", run, "train.epochs=2")
        folder.json("evaluate", run)

    def test_show_says_who_made_a_line(self):
        shown = self.folder().run("show", DIGITS, TECHNIQUES).stdout
        self.assertIn("label_smoothing: 0.05}  # label_smoothing\n", shown)
        self.assertIn("when: train}  # mixup\n", shown)
        self.assertNotIn("techniques", shown)


if __name__ == "__main__":
    unittest.main()
