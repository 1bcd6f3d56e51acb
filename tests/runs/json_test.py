"""With --json, standard output is exactly one JSON document, whatever the command and whether it succeeds."""
import json
import re
import unittest

from hearth_program import DIGITS, SMALL, Folder

TEXT_ONLY = {"completion", "help", "schema"}  # scripts and pages, no results


class JsonOutput(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Folder()
        cls.run_folder = json.loads(cls.folder.run("train", DIGITS, *SMALL, "--json").stdout)["run"]

    @classmethod
    def tearDownClass(cls):
        cls.folder._folder.cleanup()

    def document(self, *words, ok=True):
        done = self.folder.run(*words, "--json", ok=ok)
        self.assertEqual(1, done.stdout.count("\n"), done.stdout)
        self.assertTrue(done.stdout.isascii())
        return json.loads(done.stdout, parse_constant=lambda word: self.fail(f"{word} is not JSON"))

    def test_every_command_with_a_result_has_it(self):
        cases = {
            "benchmark-data": ([DIGITS, "--seconds", "0.05"], "rates"),
            "check": ([DIGITS], "modes"),
            "docs": (["adamw"], "kinds"),
            "doctor": ([], "cores"),
            "evaluate": ([self.run_folder], "metrics"),
            "export": ([self.run_folder, "model"], "files"),
            "list": (["layer"], 0),
            "log": ([self.run_folder, "--steps"], "events"),
            "new": (["layer", "gated_linear"], "files"),
            "predict": ([self.run_folder, "--sample", "0"], 0),
            "show": ([DIGITS], "network"),
            "train": ([DIGITS, *SMALL, "train.epochs=1"], "state_sha256"),
            "version": ([], "hearth"),
        }
        known = re.findall(r"^  ([a-z-]+)  ", self.folder.run("--help").stdout, re.MULTILINE)
        self.assertEqual(sorted(known), sorted([*cases, *TEXT_ONLY]))
        for command, (words, key) in cases.items():
            with self.subTest(command):
                self.document(command, *words)[key]

    def test_so_have_the_other_ways_to_use_train(self):
        self.assertIn("modes", self.document("train", DIGITS, "--dry-run"))
        self.assertIn("rows", json.dumps(self.document("train", DIGITS, *SMALL, "--profile", "1")))
        self.assertIn("metrics", self.document("train", "--resume", self.run_folder))

    def test_an_error_is_a_document_too(self):
        cases = {
            ("check", DIGITS, "train.epochs=0", "data.batch_size=0"): ("config", 2, 2),
            ("check", DIGITS, "input=imag"): ("graph", 4, None),
            ("evaluate", "nowhere"): ("data", 3, 1),
            ("predict", self.run_folder): ("config", 2, 1),
            ("export", self.run_folder, "x", "--names", "keras"): ("config", 2, 1),
        }
        for words, (kind, code, count) in cases.items():
            with self.subTest(words):
                error = self.document(*words, ok=False)["error"]
                self.assertEqual((kind, code), (error["kind"], error["exit_code"]), error)
                self.assertEqual(count or len(error["faults"]), len(error["faults"]), error)
                self.assertTrue(all(fault in error["message"] for fault in error["faults"]))


if __name__ == "__main__":
    unittest.main()
