"""With --json, standard output is exactly one JSON document, whatever the command and whether it succeeds."""
import json
import re
import unittest

import yaml

from hearth_program import DIGITS, SMALL, SOURCE, Folder

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
        names = re.findall(r"^  ([a-z-]+(?: [a-z-]+)?)  ", self.folder.run("--help").stdout, re.MULTILINE)
        self.assertGreater(len(names), 10)
        for name in names:
            if name in TEXT_ONLY:
                continue
            with self.subTest(name):
                case = self.case_of(name)
                self.document(*name.split(), *case["words"])[case["result"]]

    def case_of(self, name):
        """What a command is tried with lies beside it: its words, and a key of its result."""
        file = SOURCE / "cli/commands" / f"{re.sub('[ -]', '_', name)}.case.yaml"
        self.assertTrue(file.exists(), f"{file} is missing. Write `words:` (RUN stands for a run, DIGITS for a config, "
                                       "SMALL for options of a short run, LORA for a file of low-rank parts) and `result:`, a key of what --json gives.")
        case = yaml.safe_load(file.read_text())
        places = {"RUN": [self.run_folder], "DIGITS": [DIGITS], "SMALL": SMALL,
                  "LORA": [str(SOURCE / "tests/corpus/pt/lora.pt")]}
        case["words"] = [word for given in case["words"] for word in places.get(given, [given])]
        return case

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
