"""Every example's model predicts from the command line: pictures, texts, rows, several keys in and out."""
import json
import shutil
import unittest

from hearth_program import SOURCE, Folder
from predict_test import png


class PredictExamples(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Folder()
        shutil.copytree(SOURCE / "examples", cls.folder.path / "examples")
        shutil.copy(SOURCE / "LICENSE", cls.folder.path)
        for name, bright in (("a", 250), ("b", 120)):
            rows = [[bright if 4 < x < 12 and 4 < y < 12 else 10 for x in range(20)] for y in range(20)]
            (cls.folder.path / f"{name}.png").write_bytes(png(rows))

    @classmethod
    def tearDownClass(cls):
        cls.folder._folder.cleanup()

    def trained(self, name, *overrides):
        return self.folder.json("train", f"examples/{name}.yaml", "train.epochs=1", *overrides)["run"]

    def test_every_example_predicts(self):
        pictures = ["a.png", "b.png"]
        words = {"siamese": [f"--input={key}=a.png" for key in ("image", "same", "different")],
                 "lines": ["--text", "text=Where does it come from?"],
                 "tokens": ["--text", "text=Where does it come from?"],
                 "messages": ["--text", "text=Did you water my rose?"],
                 "translate": ["--text", "she has found the old book"],
                 "sounds": ["examples/sounds/eval/rising/00.wav"],
                 "table": ["house.csv"], "table_classes": ["house.csv"], "wide_and_deep": ["house.csv"],
                 "gpt": [str(self.folder.path / "tokens.csv")], "lora": [str(self.folder.path / "few.csv")]}
        houses = (SOURCE / "examples" / "houses.csv").read_text().splitlines()
        (self.folder.path / "house.csv").write_text("\n".join(houses[:2]) + "\n")
        (self.folder.path / "tokens.csv").write_text(",".join(str(number % 9) for number in range(64)))
        (self.folder.path / "few.csv").write_text(",".join(str(number % 9) for number in range(32)))
        for example in sorted((SOURCE / "examples").glob("*.yaml")):
            with self.subTest(example.stem):
                run = self.trained(example.stem)
                given = words.get(example.stem, pictures)
                said = self.folder.json("predict", run, *given)
                self.assertEqual(len(pictures) if given is pictures else 1, len(said))
                self.assertTrue(all(prediction["text" if example.stem == "translate" else "values"] for prediction in said))
                self.assertTrue(self.folder.run("predict", run, *given).stdout)

    def test_a_raw_file_gives_what_evaluation_gave_for_it(self):
        eval_lines = (SOURCE / "examples/messages.eval.jsonl").read_text().splitlines()
        texts = [json.loads(line)["text"] for line in eval_lines]
        pictures = self.files("scenes/eval/pictures", "png")
        for name, files in (("pictures", pictures), ("segmentation", pictures), ("boxes", pictures), ("detector", pictures),
                            ("sounds", self.files("sounds/eval", "wav")),
                            ("messages", [word for text in texts for word in ("--text", f"text={text}")])):
            with self.subTest(name):
                run = self.trained(name)
                evaluated = [f"--sample={number}" for number in range(len(texts) if name == "messages" else len(files))]
                raw, held_out = self.folder.json("predict", run, *files), self.folder.json("predict", run, *evaluated)
                self.assertEqual(len(evaluated), len(raw))
                key = "classes" if name == "segmentation" else "values"
                for one, other in zip(raw, held_out):
                    self.assertEqual(one[key], other[key], one["input"])

    def files(self, folder, ending):
        found = sorted((SOURCE / "examples" / folder).rglob(f"*.{ending}"))
        return [str(file.relative_to(SOURCE)) for file in found]

    def test_sound_of_another_rate_is_named(self):
        run = self.trained("sounds")
        sound = bytearray((SOURCE / "examples/sounds/eval/rising/00.wav").read_bytes())
        sound[24:28] = (44100).to_bytes(4, "little")
        (self.folder.path / "fast.wav").write_bytes(sound)
        done = self.folder.run("predict", run, "fast.wav", ok=False)
        self.assertIn("fast.wav: has 44100 samples a second, but must have 8000", done.stderr)

    def test_several_keys_go_in_by_name(self):
        run = self.trained("siamese")
        both = self.folder.json("predict", run, "--input", "image=a.png", "--input", "image=b.png",
                                "--input", "same=a.png", "--input", "different=b.png")
        self.assertEqual(["a.png, a.png, b.png", "b.png, a.png, b.png"], [each["input"] for each in both])
        self.assertEqual(16, len(both[0]["values"]))
        # One key is left for the file without a name.
        rest = self.folder.json("predict", run, "a.png", "--input=same=a.png", "--input=different=b.png")
        for one, other in zip(both[0]["values"], rest[0]["values"]):  # of batches of two and one
            self.assertAlmostEqual(one, other, places=5)
        for words, message in (
                (["a.png"], "could be for any of several keys. Name the key: --input image=a.png"),
                (["--input", "image=a.png"], "there is nothing for 'same', 'different'."),
                (["--input", "imag=a.png"], "the model does not need 'imag'. Did you mean 'image'?"),
                (["--input", "a.png"], "write KEY=FILE"),
                (["--input=image=a.png"] * 2 + ["--input=same=a.png"] * 3 + ["--input=different=a.png"],
                 "Give each key as many, or one for all of them.")):
            done = self.folder.run("predict", run, *words, ok=False)
            self.assertEqual(2, done.returncode, done.stderr)
            self.assertIn(message, done.stderr)
        self.assertIn("'same' takes an image (uint8 [B, 16, 16, 3])", self.folder.run("predict", run, "a.png", ok=False).stderr)

    def test_several_keys_come_out_by_name(self):
        run = self.trained("two_heads", "predict.out=[shape_scores, color_scores]")
        said = self.folder.json("predict", run, "a.png")[0]
        self.assertEqual({"shape_scores", "color_scores"}, set(said["outputs"]))
        self.assertEqual(4, len(said["outputs"]["color_scores"]["values"]))
        text = self.folder.run("predict", run, "a.png").stdout
        self.assertIn(" shape_scores\n  ", text)
        self.assertIn(" color_scores\n  ", text)

    def test_a_mask_says_how_much_each_class_takes(self):
        run = self.trained("unet")
        self.assertIn("a class for each of 16 x 16 points", self.folder.run("predict", run, "a.png").stdout)
        said = self.folder.json("predict", run, "a.png")[0]
        self.assertEqual((256, [4, 16, 16]), (len(said["classes"]), said["shape"]))

    def test_text_is_a_line_of_a_file_or_a_word(self):
        run = self.trained("lines")
        (self.folder.path / "mine.txt").write_text("Where is it?\n\nIt is here.\n")
        said = self.folder.json("predict", run, "mine.txt")
        self.assertEqual(["mine.txt line 1", "mine.txt line 3"], [each["input"] for each in said])
        word = self.folder.json("predict", run, "--text", "text=It is here.", "--batch", "1")
        for one, other in zip(said[1]["values"], word[0]["values"]):
            self.assertAlmostEqual(one, other, places=5)
        self.assertIn("is empty", self.folder.run("predict", run, "--text", "text=", ok=False).stderr)

    def test_one_bad_file_does_not_lose_the_others(self):
        run = self.trained("shapes")
        whole = (self.folder.path / "a.png").read_bytes()
        (self.folder.path / "cut.png").write_bytes(whole[:len(whole) // 2])
        words = ("predict", run, "a.png", "cut.png", "none.png", "b.png")
        done = self.folder.run(*words, ok=False)
        self.assertEqual(3, done.returncode)
        self.assertIn("cut.png", done.stderr)
        self.assertIn("none.png", done.stderr)
        self.assertEqual(["a.png", "b.png"], [line for line in done.stdout.splitlines() if line[0] != " "])
        said = json.loads(self.folder.run(*words, "--json", ok=False).stdout)
        self.assertEqual({"a.png": True, "b.png": True, "cut.png": False, "none.png": False},
                         {each["input"]: "error" not in each for each in said})


if __name__ == "__main__":
    unittest.main()
