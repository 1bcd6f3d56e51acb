"""Every example is without faults, and the trained ones come back from their files as they were."""
import json
import shutil
import unittest

from hearth_program import SOURCE, Folder


def is_found(found, annotation, image, names):
    """Whether the best box is of the class, and shares more than half with the true one, of what both cover. The network's
    picture has sides of 32 points."""
    if not found or found[0]["class"] != names[annotation["category_id"]]:
        return False
    left, top, width, height = annotation["bbox"]
    across, down = 32 / image["width"], 32 / image["height"]
    true = (left * across, top * down, (left + width) * across, (top + height) * down)
    shared = [min(found[0]["box"][side + 2], true[side + 2]) - max(found[0]["box"][side], true[side]) for side in (0, 1)]
    both = max(shared[0], 0) * max(shared[1], 0)
    area = sum((box[2] - box[0]) * (box[3] - box[1]) for box in (found[0]["box"], true))
    return both > 0.5 * (area - both)


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
                              ("branches", {"eval/fused_accuracy": (0.85, 1), "eval/color_accuracy": (0.95, 1),
                                            "eval/soft_accuracy": (0.6, 1)}),
                              ("reid", {"eval/retrieval": (0.9, 1), "eval/retrieval/mean_average_precision": (0.75, 1)}),
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
                                            ("wide_and_deep", "mean_absolute_error", (0, 0.06)),
                                            ("table_classes", "accuracy", (0.8, 1))):
            with self.subTest(name):
                self.assertLess(len((SOURCE / f"examples/{name}.yaml").read_text().splitlines()), 45)
                found = folder.json("train", f"examples/{name}.yaml")["metrics"][f"eval/{metric}"]
                self.assertTrue(least <= found <= most, f"{name} {found}")

    def test_a_detector_finds_what_is_in_pictures(self):
        """Of pictures that it was not shown, it finds most things where they are, and little else."""
        folder = self.folder()
        self.assertLess(len((SOURCE / "examples/detector.yaml").read_text().splitlines()), 60)
        report = folder.json("train", "examples/detector.yaml")
        self.assertLess(report["metrics"]["eval/loss"], 1.4, report["metrics"])
        for part in ("class_loss", "box_loss", "center_loss"):
            self.assertIn(f"eval/{part}", report["metrics"])
        truth = json.loads((SOURCE / "examples/scenes/eval/boxes.json").read_text())
        names = {category["id"]: category["name"] for category in truth["categories"]}
        files = [image["file_name"] for image in truth["images"]]
        said = folder.json("predict", report["run"], *(f"examples/scenes/eval/pictures/{file}" for file in files))
        hits = [is_found(prediction["boxes"], box, image, names) for prediction, box, image in
                zip(said, truth["annotations"], truth["images"])]
        self.assertGreaterEqual(sum(hits), 0.75 * len(hits), hits)
        self.assertLess(sum(len(prediction["boxes"]) for prediction in said), 2 * len(hits))
        self.assertIn(" % ", folder.run("predict", report["run"], f"examples/scenes/eval/pictures/{files[0]}").stdout)

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
