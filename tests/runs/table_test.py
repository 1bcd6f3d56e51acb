"""Tables from a file to a prediction: what ops learn from the training data stays with the run and its model."""
import json
import shutil
import unittest

from hearth_program import SOURCE, Folder

ROW = {"rooms": 5, "area": 117.1, "distance": 6.44, "built": "1954-02-15", "city": "Bern", "garden": None, "kind": "flat"}


class Tables(unittest.TestCase):
    def setUp(self):
        self.folder = Folder()
        self.addCleanup(self.folder._folder.cleanup)
        for name in ("table.yaml", "table_classes.yaml", "houses.csv"):
            shutil.copy(SOURCE / "examples" / name, self.folder.path)

    def train(self, *words):
        return self.folder.json("train", *words)

    def predicted(self, run, *words):
        return self.folder.json("predict", run, *words)

    def test_a_price_is_predicted_from_a_row_by_its_columns(self):
        report = self.train("table.yaml")
        self.assertLess(report["metrics"]["eval/mean_absolute_error"], 0.08)
        run = report["run"]
        self.assertEqual(report["metrics"]["eval/loss"], self.folder.json("evaluate", run)["metrics"]["eval/loss"])
        by_row = self.predicted(run, "--row", json.dumps(ROW))[0]["values"]
        self.assertAlmostEqual(0.556, by_row[0], delta=0.1)
        (self.folder.path / "row.csv").write_text(
            "city;rooms;area;distance;built;garden;kind;id\nBern;5;117.1;6.44;1954-02-15;;flat;7\n")
        self.assertEqual(by_row, self.predicted(run, "row.csv")[0]["values"])
        (self.folder.path / "row.json").write_text(json.dumps([ROW, ROW]))
        self.assertEqual(2, len(self.predicted(run, "row.json")))
        self.folder.run("export", run, "model")
        self.folder.path.joinpath("houses.csv").unlink()
        self.assertEqual(by_row, self.predicted("model", "--row", json.dumps(ROW))[0]["values"])

    def test_rows_that_do_not_do_are_told(self):
        run = self.train("table.yaml", "train.epochs=1")["run"]
        for change, message in (({"city": "Bren"}, "column 'city' has no value 'Bren' in the training data. Did you mean 'Bern'?"),
                                ({"built": "soon"}, "column 'built' must be a date such as 2024-02-29, but is 'soon'."),
                                ({"area": "big"}, "column 'area' must be a number, but is 'big'.")):
            done = self.folder.run("predict", run, "--row", json.dumps({**ROW, **change}), ok=False)
            self.assertEqual(3, done.returncode)
            self.assertIn(message, done.stderr)
        without = {column: value for column, value in ROW.items() if column != "rooms"}
        done = self.folder.run("predict", run, "--row", json.dumps(without), ok=False)
        self.assertIn("there is no column 'rooms', which the model needs.", done.stderr)

    def test_what_ops_learned_is_kept_and_not_learned_again(self):
        said = self.folder.run("check", "table_classes.yaml").stdout
        self.assertIn("data.ops[1] impute learns what its options leave open from the 640 samples of data.train", said)
        whole = self.train("table_classes.yaml", "train.epochs=4")
        self.assertGreater(whole["metrics"]["eval/accuracy"], 0.85)
        run = self.train("table_classes.yaml", "train.epochs=2")["run"]
        config = (self.folder.path / run / "config.yaml").read_text()
        self.assertRegex(config, r"standardize:[^-]*mean:")
        # Other data under the same name: the medians and means are those of the run's first day.
        again = self.train("--resume", run, "train.epochs=4")
        self.assertEqual(whole["metrics"], again["metrics"])
        learned = [line for line in (self.folder.path / run / "config.yaml").read_text().splitlines()]
        self.assertEqual([line for line in config.splitlines() if "epochs" not in line],
                         [line for line in learned if "epochs" not in line])

    def test_workers_do_not_matter(self):
        runs = [self.train("table.yaml", "train.epochs=2", f"data.workers={workers}")["metrics"] for workers in (0, 3)]
        self.assertEqual(*runs)


if __name__ == "__main__":
    unittest.main()
