"""Paths belong to the file that names them, runs and exports work from any folder, plugins travel."""
import json
import os
import pathlib
import shutil
import unittest

from hearth_program import SOURCE, Folder

PLUGIN = os.environ["HEARTH_TEST_PLUGIN"]
DATA = SOURCE / "data"
CONFIG = """\
name: mine
data:
  train: {idx: {images: ../data/digits-images.idx3-ubyte.gz, labels: ../data/digits-labels.idx1-ubyte.gz}}
  ops: [normalize]
model: {mlp: {hidden: [4]}}
loss: cross_entropy
optimizer: sgd
train: {epochs: 1}
"""


class Project:
    """configs/mine.yaml beside data/, and an empty folder elsewhere/ to work in."""

    def __enter__(self):
        self._folder = Folder()
        self.path = self._folder.path
        for name in ("configs", "data", "elsewhere"):
            (self.path / name).mkdir()
        for file in DATA.glob("digits-*.gz"):
            shutil.copy(file, self.path / "data")
        (self.path / "configs/mine.yaml").write_text(CONFIG)
        self._folder.path = self.path / "elsewhere"
        self.run, self.json = self._folder.run, self._folder.json
        return self

    def __exit__(self, *given):
        self._folder.__exit__(*given)

    def go_to(self, name):
        """Works in another folder from here on."""
        (self.path / name).mkdir(exist_ok=True)
        self._folder.path = self.path / name


class Paths(unittest.TestCase):
    def test_a_run_works_from_any_folder(self):
        with Project() as project:
            report = project.json("train", "../configs/mine.yaml")
            run = project.path / "elsewhere" / report["run"]
            self.assertIn(str(project.path / "data/digits-images"), (run / "config.yaml").read_text())
            project.go_to("far")
            self.assertEqual(report["state_sha256"], project.json("train", "--resume", str(run))["state_sha256"])
            self.assertIn("train/loss", project.json("evaluate", str(run), "--mode", "train")["metrics"])
            project.run("export", str(run), "model")
            project.go_to("farther")
            self.assertEqual(3, len(project.json("predict", "../far/model", "--sample", "3")[0]["scores"]))

    def test_each_merged_file_has_its_own_folder_and_overrides_that_of_the_user(self):
        with Project() as project:
            more = project.path / "more"
            more.mkdir()
            shutil.copy(DATA / "digits-images.idx3-ubyte.gz", more / "some.gz")
            (more / "eval.yaml").write_text("data: {eval: {idx: {images: some.gz}}}\n")
            shown = project.run("show", "../configs/mine.yaml", "../more/eval.yaml", "data.test={digits: {path: own}}",
                                "--json")
            data = json.loads(shown.stdout)["data"]
            self.assertEqual(str(project.path / "data/digits-images.idx3-ubyte.gz"), data["train"]["idx"]["images"])
            self.assertEqual(str(more / "some.gz"), data["eval"]["idx"]["images"])
            self.assertEqual(str(project.path / "elsewhere/own"), data["test"]["digits"]["path"])

    def test_a_file_that_is_missing_is_named_at_its_entry(self):
        with Project() as project:
            (project.path / "data/digits-labels.idx1-ubyte.gz").unlink()
            done = project.run("train", "../configs/mine.yaml", ok=False)
            self.assertEqual(3, done.returncode)
            labels = project.path / "data/digits-labels.idx1-ubyte.gz"
            self.assertIn(f"../configs/mine.yaml:3:70: data.train.idx.labels: Cannot open '{labels}'", done.stderr)

    def test_a_name_of_a_checkpoint_is_no_path(self):
        with Project() as project:
            run = project.json("train", "../configs/mine.yaml")["run"]
            done = project.run("evaluate", run, "--checkpoint", "../../x", ok=False)
            self.assertEqual(2, done.returncode)
            self.assertIn("the name of a checkpoint must be made of letters", done.stderr)


class Plugins(unittest.TestCase):
    def test_a_plugin_travels_with_an_export(self):
        with Project() as project:
            plugin = project.path / "configs/libown.so"
            shutil.copy(PLUGIN, plugin)
            config = project.path / "configs/mine.yaml"
            config.write_text(CONFIG.replace("epochs: 1", "epochs: 1, traces: halt") + "plugins: libown.so\n")
            run = project.json("train", "../configs/mine.yaml")["run"]
            project.run("export", run, "model")
            plugin.unlink()
            done = project.run("evaluate", run, "--mode", "train", ok=False)
            self.assertIn(f"plugins[0]: there is no file '{plugin}'", done.stderr)
            project.go_to("far")
            model = pathlib.Path("../elsewhere/model")
            self.assertEqual(["libown.so"], os.listdir(project.path / "far" / model / "plugins"))
            self.assertEqual(1, len(project.json("predict", str(model), "--sample", "0")))

    def test_a_plugin_that_changed_is_said_on_resume(self):
        with Project() as project:
            plugin = project.path / "configs/libown.so"
            shutil.copy(PLUGIN, plugin)
            words = ["../configs/mine.yaml", "plugins=[../configs/libown.so]"]
            run = project.json("train", *words)["run"]
            self.assertNotIn("bits may differ", project.run("train", "--resume", run).stderr)
            with open(plugin, "ab") as file:
                file.write(b"\0")
            done = project.run("train", "--resume", run)
            self.assertIn(f"the bits may differ: plugin {plugin}: sha256", done.stderr)


if __name__ == "__main__":
    unittest.main()
