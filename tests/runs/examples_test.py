"""Every example is without faults, and the trained ones come back from their files as they were."""
import shutil
import unittest

from hearth_program import SOURCE, Folder


class Examples(unittest.TestCase):
    def folder(self):
        folder = Folder()
        self.addCleanup(folder._folder.cleanup)
        shutil.copytree(SOURCE / "examples", folder.path / "examples")
        shutil.copy(SOURCE / "LICENSE", folder.path)  # the text of the gpt example
        return folder

    def test_every_example_passes_the_check(self):
        folder = self.folder()
        examples = sorted((SOURCE / "examples").glob("*.yaml"))
        self.assertGreaterEqual(len(examples), 4)
        for example in examples:
            folder.run("check", f"examples/{example.name}")

    def test_a_trained_network_evaluates_as_it_did_in_training(self):
        folder = self.folder()
        for name, accuracy in (("resnet", 0.15), ("gpt", 0.15)):
            report = folder.json("train", f"examples/{name}.yaml", "train.epochs=2")
            trained = {key: value for key, value in report["metrics"].items() if key.startswith("eval/")}
            self.assertGreater(trained["eval/accuracy"], accuracy)
            self.assertEqual(trained, folder.json("evaluate", report["run"])["metrics"], name)


if __name__ == "__main__":
    unittest.main()
