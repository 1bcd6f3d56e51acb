"""hearth predict RUN --text "...": a text continued by a trained model, from the command line."""
import json
import shutil
import subprocess
import unittest

from hearth_program import DIGITS, HEARTH, SOURCE, Folder

PROMPT = "Permission is "


class Generation(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Folder()
        shutil.copytree(SOURCE / "examples", cls.folder.path / "examples")
        shutil.copy(SOURCE / "LICENSE", cls.folder.path)
        cls.run_folder = cls.folder.json("train", "examples/gpt.yaml", "train.epochs=3")["run"]

    @classmethod
    def tearDownClass(cls):
        cls.folder._folder.cleanup()

    def text(self, *words, prompt=PROMPT):
        return self.folder.json("predict", self.run_folder, "--text", prompt, *words)[0]

    def fault(self, *words, run=None):
        done = self.folder.run("predict", run or self.run_folder, *words, ok=False)
        self.assertNotEqual(0, done.returncode)
        return done.stderr

    def test_a_text_goes_on_the_same_for_the_same_seed(self):
        made = self.text("--tokens", "100")
        self.assertEqual((PROMPT, 100, 100, False),
                         (made["input"], len(made["tokens"]), len(made["text"].encode()), made["ended"]))
        self.assertEqual(made, self.text("--tokens", "100", "--seed", "0", "--temperature", "1"))
        self.assertNotEqual(made["text"], self.text("--tokens", "100", "--seed", "1")["text"])
        shown = self.folder.run("predict", self.run_folder, "--text", PROMPT, "--tokens", "100")
        self.assertEqual(PROMPT + made["text"] + "\n", shown.stdout)
        self.assertIn("note: the model looks at 64 tokens", shown.stderr)

    def test_greedy_beams_and_cut_off_draws(self):
        greedy = self.text("--tokens", "20", "--temperature", "0")
        self.assertEqual(greedy["text"], self.text("--tokens", "20", "--top-k", "1", "--seed", "7")["text"])
        beams = self.text("--tokens", "20", "--beams", "4")
        self.assertGreaterEqual(beams["log_probability"], greedy["log_probability"] - 1e-4)
        self.assertEqual(20, len(self.text("--tokens", "20", "--top-p", "0.9", "--repetition-penalty", "1.2")["tokens"]))

    def test_several_texts_and_stops(self):
        alone = self.text("--tokens", "30")["text"]
        both = self.folder.json("predict", self.run_folder, "--text", "The ", "--text", PROMPT, "--tokens", "30")
        self.assertEqual(["The ", PROMPT], [each["input"] for each in both])
        self.assertEqual(alone, both[1]["text"])
        ended = self.text("--tokens", "30", "--stop", alone[5:8])
        self.assertTrue(ended["ended"])
        self.assertEqual(alone[:alone.index(alone[5:8])], ended["text"])

    def test_the_text_may_come_from_standard_input_and_for_the_key(self):
        expected = self.text("--tokens", "20")
        done = subprocess.run([HEARTH, "predict", self.run_folder, "--text", "-", "--tokens", "20", "--json"],
                              cwd=self.folder.path, input=PROMPT + "\n", text=True, capture_output=True, timeout=300)
        self.assertEqual(expected, json.loads(done.stdout)[0])
        self.assertEqual(expected, self.text("--tokens", "20", prompt="tokens=" + PROMPT))

    def test_an_exported_model_says_the_same(self):
        self.folder.run("export", self.run_folder, "model")
        made = self.folder.json("predict", "model", "--text", PROMPT, "--tokens", "20")[0]
        self.assertEqual(self.text("--tokens", "20"), made)

    def test_bytes_wait_for_their_character_and_control_characters_are_shown(self):
        (self.folder.path / "odd.txt").write_text("é€\x1b[2J😀" * 200)
        (self.folder.path / "odd.yaml").write_text(
            "name: odd\ndata:\n  train: {text: {file: odd.txt, length: 16}}\n  batch_size: 16\ninput: tokens\ntarget: next\n"
            "model: {gpt: {layers: 1, width: 32, heads: 2}}\nloss: cross_entropy\noptimizer: {adamw: {lr: 0.01}}\n"
            "train: {epochs: 30}\n")
        run = self.folder.json("train", "odd.yaml")["run"]
        done = subprocess.run([HEARTH, "predict", run, "--text", "é", "--tokens", "60", "--temperature", "0"], cwd=self.folder.path,
                              capture_output=True, timeout=300)
        text = done.stdout.decode()  # is UTF-8
        self.assertEqual([], [letter for letter in text if letter < " " and letter != "\n"])
        self.assertIn("\\x1b[2J", text)
        self.assertIn("😀", text)
        self.assertIn("is not among those of the training text", self.fault("--text", "a", run=run))

    def test_what_is_wrong_is_named(self):
        for words, message in (
                (["--text", ""], "the text is empty"),
                (["--text", "a" * 65], "has 65 tokens, but the model looks at 64 at most."),
                (["--text", "über"], "is not among those of the training text"),
                (["--text", PROMPT, "--tokens", "0"], "must be a whole number of at least 1, but is '0'"),
                (["--text", PROMPT, "--top-p", "2"], "must be a number from"),
                (["--text", PROMPT, "--temperature", "warm"], "must be a number from"),
                (["--text", PROMPT, "--beams", "2", "--top-k", "3"], "beams look for the most likely text"),
                (["--text", PROMPT, "LICENSE"], "cannot stand beside other things to predict"),
                (["--sample", "0", "--tokens", "5"], "Give one with --text.")):
            with self.subTest(words=words):
                self.assertIn(message, self.fault(*words))

    def test_a_model_that_scores_no_next_token_says_so(self):
        digits = self.folder.json("train", DIGITS, "train.epochs=1")["run"]
        fault = self.fault("--text", PROMPT, run=digits)
        self.assertIn("this run cannot continue a text: its model scores no next token.", fault)
        self.assertIn("'image' takes an image", fault)
        self.assertIn("the model does not need 'imag'. Did you mean 'image'?", self.fault("--text", "imag=x", run=digits))


if __name__ == "__main__":
    unittest.main()
