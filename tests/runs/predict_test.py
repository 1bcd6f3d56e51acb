"""A stranger with a run folder, or the model folder exported from it, and one raw data point."""
import json
import struct
import unittest
import zlib

from hearth_program import DIGITS, SOURCE, Folder


def png(pixels, colour=0):
    """An 8-bit PNG from rows of bytes: gray, or gray with alpha as colour 4, two bytes a pixel."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    width = len(pixels[0]) // (2 if colour == 4 else 1)
    header = struct.pack(">IIBBBBB", width, len(pixels), 8, colour, 0, 0, 0)
    rows = b"".join(b"\0" + bytes(row) for row in pixels)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def digit(index):
    """Image and label of one sample of the bundled file, read without Hearth."""
    import gzip
    images = gzip.open(SOURCE / "data" / "digits-images.idx3-ubyte.gz").read()[16:]
    labels = gzip.open(SOURCE / "data" / "digits-labels.idx1-ubyte.gz").read()[8:]
    flat = images[index * 64:(index + 1) * 64]
    return [list(flat[row * 8:row * 8 + 8]) for row in range(8)], labels[index]


class Predict(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Folder()
        cls.run_folder = cls.folder.json("train", DIGITS, "train.epochs=6")["run"]
        cls.rows, cls.label = digit(40)  # (index / 10) % 5 == 4: the first held-out digit

    @classmethod
    def tearDownClass(cls):
        cls.folder._folder.cleanup()

    def top(self, *words):
        prediction = json.loads(self.folder.run("predict", *words, "--json").stdout)[0]
        return prediction["scores"][0]["class"], prediction

    def test_a_picture_of_any_size_is_recognised(self):
        for scale in (1, 5, 16):
            big = [[min(255, value * 255 // 16) for value in row for _ in range(scale)]
                   for row in self.rows for _ in range(scale)]
            (self.folder.path / "scan.png").write_bytes(png(big))
            self.assertEqual(str(self.label), self.top(self.run_folder, "scan.png")[0], f"scale {scale}")

    def test_dark_ink_on_light_paper_wants_invert(self):
        paper = [[255 - min(255, value * 255 // 16) for value in row] for row in self.rows]
        (self.folder.path / "paper.png").write_bytes(png(paper))
        self.assertEqual(str(self.label), self.top(self.run_folder, "paper.png", "--invert")[0])
        self.assertIn("--invert", self.top(self.run_folder, "paper.png")[1]["notes"][0])

    def test_a_row_of_numbers_is_the_same_as_the_sample_it_came_from(self):
        numbers = ",".join(str(value / 16) for row in self.rows for value in row)
        (self.folder.path / "row.csv").write_text(numbers + "\n")
        from_row = self.top(self.run_folder, "row.csv")[1]["values"]
        from_sample = self.top(self.run_folder, "--sample", "0")[1]["values"]
        self.assertEqual(from_row, from_sample)
        self.assertAlmostEqual(1, sum(from_row), places=5)

    def test_a_table_says_the_same_however_it_was_saved(self):
        numbers = [str(value / 16) for row in self.rows for value in row]
        header = [f'"pixel, {place}"' for place in range(64)]
        (self.folder.path / "plain.csv").write_text(",".join(numbers) + "\n")
        (self.folder.path / "excel.csv").write_bytes(
            b"\xef\xbb\xbf" + (",".join(header) + "\r\n" + ",".join(f'"{number}"' for number in numbers) + "\r\n\r\n").encode())
        (self.folder.path / "semicolons.csv").write_text(";".join(numbers) + "\r\n")
        expected = self.top(self.run_folder, "plain.csv")[1]["values"]
        for name in ("excel.csv", "semicolons.csv"):
            self.assertEqual(expected, self.top(self.run_folder, name)[1]["values"], name)

    def test_a_transparent_picture_lies_on_the_background_of_the_training_data(self):
        ink = [[min(255, value * 255 // 16) for value in row] for row in self.rows]
        cases = {"solid.png": (png(ink), []),
                 "light.png": (png([[byte for value in row for byte in (255, value)] for row in ink], 4), []),
                 "dark.png": (png([[byte for value in row for byte in (0, value)] for row in ink], 4), ["--invert"])}
        said = {}
        for name, (content, flags) in cases.items():
            (self.folder.path / name).write_bytes(content)
            said[name] = self.top(self.run_folder, name, *flags)
        for name in ("light.png", "dark.png"):
            self.assertEqual(said["solid.png"][1]["values"], said[name][1]["values"], name)
            self.assertEqual(["the picture is transparent; it was laid on black, as in the training data."],
                             said[name][1]["notes"])
        self.assertIn("try it with --invert", self.top(self.run_folder, "dark.png")[1]["notes"][1])

    def test_what_is_no_picture_but_named_as_one_is_called_so(self):
        for name, content in (("text.png", b"hello"), ("empty.jpg", b""), ("numbers.bmp", b"1,2,3\n")):
            (self.folder.path / name).write_bytes(content)
            done = self.folder.run("predict", self.run_folder, name, ok=False)
            self.assertEqual(3, done.returncode, name)
            self.assertRegex(done.stderr, f"{name}.*picture", name)

    def test_control_characters_of_a_file_do_not_reach_the_terminal(self):
        name = "bad\x1b[2J\x07.csv"
        (self.folder.path / name).write_text("1,\x1b]0;owned\x07\n")
        for words in ((self.run_folder, name), (self.run_folder, name, "--json")):
            done = self.folder.run("predict", *words, ok=False)
            self.assertEqual([], [letter for letter in done.stdout + done.stderr if letter < " " and letter != "\n"])
            self.assertIn("\\x1b[2J", done.stderr)
        self.assertEqual("data", json.loads(done.stdout)["error"]["kind"])

    def test_the_exported_model_says_the_same_without_the_run(self):
        self.folder.run("export", self.run_folder, "model")
        (self.folder.path / "row2.csv").write_text(",".join("0.5" for _ in range(64)))
        self.assertEqual(self.top(self.run_folder, "row2.csv")[1]["values"], self.top("model", "row2.csv")[1]["values"])

    def test_evaluate_gives_what_training_gave(self):
        log = [json.loads(line) for line in (self.folder.path / self.run_folder / "log.jsonl").open()]
        best = max(event["values"]["accuracy"] for event in log if event["event"] == "eval")
        self.assertEqual(best, self.folder.json("evaluate", self.run_folder)["metrics"]["eval/accuracy"])

    def test_evaluate_asks_schedules_when_training_did(self):
        metric = "metrics=[{running: {in: loss, smoothing: {linear: {first: 0.1, last: 0.9}}}}]"
        report = self.folder.json("train", DIGITS, "train.epochs=2", "train.traces=[]", metric)
        found = self.folder.json("evaluate", report["run"])["metrics"]
        self.assertEqual(report["metrics"]["eval/running_loss"], found["eval/running_loss"])

    def test_wrong_input_is_named(self):
        cases = {
            "short.csv": ("1,2,3\n", "short.csv:1: has 3 numbers, but the model's input 'image' is uint8 [B, 8, 8, 1] and needs 64."),
            "words.csv": (",".join(["0"] * 63 + ["a"]), "words.csv:1:127: expected a number, but found 'a'."),
            "header.csv": (",".join(["a"] * 64), "header.csv holds no row of numbers, only a header."),
            "label.csv": ("label," + ",".join(f"p{i}" for i in range(64)) + "\n" + ",".join(["0"] * 65), "Leave out columns that are no input, such as 'label'"),
            "levels.csv": (",".join(["0"] * 63 + ["16"]), "levels.csv row 1: number 64 is 16, but the model's input 'image' is an image of bytes; give numbers from 0 for black to 1 for white."),
            "empty.csv": ("\n", "empty.csv holds no row of numbers."),
        }
        for name, (text, message) in cases.items():
            (self.folder.path / name).write_text(text)
            done = self.folder.run("predict", self.run_folder, name, ok=False)
            self.assertEqual(3, done.returncode)
            self.assertIn(message, done.stderr)
        (self.folder.path / "cut.png").write_bytes(png(self.rows)[:40])
        self.assertIn("cut.png", self.folder.run("predict", self.run_folder, "cut.png", ok=False).stderr)
        self.assertIn("no such file", self.folder.run("predict", self.run_folder, "none.png", ok=False).stderr.lower())
        self.assertIn("is not a run folder", self.folder.run("predict", "nowhere", "scan.png", ok=False).stderr)
        self.assertIn("there is no sample 9999", self.folder.run("predict", self.run_folder, "--sample", "9999", ok=False).stderr)

    def test_python_reads_the_weights(self):
        self.folder.run("export", self.run_folder, "model_for_python")
        blob = (self.folder.path / "model_for_python" / "model.safetensors").read_bytes()
        length = struct.unpack("<Q", blob[:8])[0]
        header = json.loads(blob[8:8 + length])
        names = [name for name in header if name != "__metadata__"]
        self.assertTrue(any(name.endswith("weight") for name in names))
        self.assertEqual(len(blob), 8 + length + max(header[name]["data_offsets"][1] for name in names))


if __name__ == "__main__":
    unittest.main()
