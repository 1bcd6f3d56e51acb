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
        self.assertGreaterEqual(len(examples), 7)
        for example in examples:
            folder.run("check", f"examples/{example.name}")

    def test_graphs_of_layers_learn(self):
        folder = self.folder()
        for name, metrics in (("unet", {"eval/accuracy": (0.96, 1)}),
                              ("two_heads", {"eval/shape_accuracy": (0.75, 1), "eval/color_accuracy": (0.95, 1)}),
                              ("siamese", {"eval/loss": (0, 0.7)}), ("progressive", {"eval/accuracy": (0.9, 1)}),
                              ("tokens", {"eval/accuracy": (0.8, 1)}),
                              ("vae", {"eval/loss": (0, 24.5), "eval/kl": (1, 8), "eval/rebuilt": (0, 0.34)}),
                              ("points", {"eval/angle": (0, 0.6), "eval/near": (0, 2.4)}),
                              ("gan", {"eval/critic_loss": (0.3, 1.5), "eval/generator_loss": (0.5, 4)})):
            self.assertLess(len((SOURCE / f"examples/{name}.yaml").read_text().splitlines()), 45)
            found = folder.json("train", f"examples/{name}.yaml")["metrics"]
            for metric, (least, most) in metrics.items():
                self.assertTrue(least <= found[metric] <= most, f"{name} {found}")

    def test_own_data_of_every_form_trains_to_what_is_stated(self):
        folder = self.folder()
        for name, metric, (least, most) in (("pictures", "accuracy", (0.85, 1)), ("segmentation", "accuracy", (0.93, 1)),
                                            ("boxes", "mean_absolute_error", (0, 0.07)),
                                            ("messages", "accuracy", (0.9, 1)), ("sounds", "accuracy", (0.9, 1)),
                                            ("table", "mean_absolute_error", (0, 0.06)),
                                            ("table_classes", "accuracy", (0.8, 1))):
            with self.subTest(name):
                self.assertLess(len((SOURCE / f"examples/{name}.yaml").read_text().splitlines()), 45)
                found = folder.json("train", f"examples/{name}.yaml")["metrics"][f"eval/{metric}"]
                self.assertTrue(least <= found <= most, f"{name} {found}")

    def test_low_rank_parts_learn_more_beside_a_trained_gpt(self):
        folder = self.folder()
        first = folder.json("train", "examples/gpt.yaml", "train.epochs=4")
        tuned = folder.json("train", "examples/lora.yaml", f"weights.file={folder.path / first['run']}")
        self.assertGreater(tuned["metrics"]["eval/accuracy"], first["metrics"]["eval/accuracy"] + 0.05)
        merged = folder.json("weights", "merge", tuned["run"], "merged.safetensors")["merged"]
        self.assertEqual(8, len(merged))
        folder.run("check", "examples/lora.yaml", "techniques=[]", "weights.file=merged.safetensors")

    def test_a_trained_network_evaluates_as_it_did_in_training(self):
        folder = self.folder()
        for name, epochs, metric, least in (("resnet", 2, "eval/accuracy", 0.15), ("gpt", 2, "eval/accuracy", 0.15),
                                            ("mixup", 2, "eval.test/accuracy", 0.3), ("techniques", 2, "eval/accuracy", 0.3),
                                            ("lines", 4, "eval/accuracy", 0.5), ("shapes", 4, "eval/accuracy", 0.5)):
            report = folder.json("train", f"examples/{name}.yaml", f"train.epochs={epochs}")
            trained = {key: value for key, value in report["metrics"].items() if key.startswith("eval")}
            self.assertGreater(trained[metric], least, name)
            self.assertEqual(trained, folder.json("evaluate", report["run"])["metrics"], name)


if __name__ == "__main__":
    unittest.main()
