#!/usr/bin/env python3
# The program on real terminals of several sizes and kinds: what stands on the screen at the end.
import argparse
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import unittest
from pathlib import Path

parser = argparse.ArgumentParser()
parser.add_argument("--program", required=True)
parser.add_argument("--examples", type=Path, required=True)
given = parser.parse_args()
# With a passing line after every step.
SMALL = ["model={mlp: {hidden: [8]}}", "optimizer={sgd: {lr: 0.1}}", "train.epochs=2", "train.traces+={progress: {seconds: 0.000000001}}"]

MOVING = b"\r\x1b[K"  # begins a line that moves
RESIZED = "<resized>"  # stands in what was sent where the terminal got other columns


def set_columns(terminal, columns):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))


def resize(process, terminal, columns):
    """What the program had sent when the terminal got other columns; it stands still for that long."""
    process.send_signal(signal.SIGSTOP)
    os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
    sent = b""
    while select.select([terminal], [], [], 0.1)[0]:
        sent += os.read(terminal, 65536)
    set_columns(terminal, columns)
    process.send_signal(signal.SIGCONT)
    return sent + RESIZED.encode()


def session(*words, columns, folder, terminal="xterm", later=(), **environment):
    """All bytes that the program sends to a terminal of so many columns, and of others `later`, 20 lines each."""
    inner, outer = pty.openpty()
    set_columns(outer, columns)
    later = list(later)
    settings = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR")}
    process = subprocess.Popen([given.program, *words], cwd=folder, stdin=outer, stdout=outer, stderr=outer,
                               env={**settings, "TERM": terminal, **environment})
    os.close(outer)
    sent = b""
    while True:
        try:
            part = os.read(inner, 65536)
        except OSError:  # the last one has closed it
            break
        if not part:
            break
        sent += part
        if later and sent.rpartition(RESIZED.encode())[2].count(MOVING) > 20:
            sent += resize(process, inner, later.pop(0))
    os.close(inner)
    process.wait()
    return sent.decode()


def screen(sent, columns):
    """The lines that stand there at the end, as a terminal that wraps would show them."""
    lines, row, column = [""], 0, 0
    for piece in re.findall(r"\x1b\[[0-9;]*[A-Za-z]|[^\x1b]|\x1b", sent):
        if piece == "\x1b[K":
            lines[row] = lines[row][:column]
        elif piece.startswith("\x1b["):
            assert piece.endswith("m"), repr(piece)
        elif piece == "\r":
            column = 0
        else:
            if piece == "\n" or column == columns:
                row, column = row + 1, 0
                lines.append("")
            if piece != "\n":
                lines[row] = lines[row][:column].ljust(column) + piece + lines[row][column + 1:]
                column += 1
    return lines


class Terminal(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.folder = Path(self._folder.name)
        self.addCleanup(self._folder.cleanup)

    def say(self, *words, columns=80, **settings):
        return session(*words, columns=columns, folder=self.folder, **settings)

    def test_help_is_as_wide_as_the_terminal(self):
        for columns in (40, 80, 140):
            for words in (["--help"], ["list", "layer"], ["docs", "experiment"], ["docs", "layer"], ["docs", "data"]):
                lines = screen(self.say(*words, columns=columns), 10000)
                text = [line for line in lines if not re.match(r"  (hearth|YAML|C\+\+)|YAML|C\+\+|next:|Usage", line)]
                widest = max(map(len, text))
                self.assertLessEqual(widest, columns, max(text, key=len))

    def test_colour_only_where_it_is_wanted(self):
        self.assertIn("\x1b[1mTrain\x1b[0m", self.say("--help"))
        for settings in ({"terminal": "dumb"}, {"NO_COLOR": "1"}):
            for words in (["--help"], ["list"], ["trian"]):
                self.assertNotIn("\x1b", self.say(*words, **settings))

    def train(self, **settings):
        return self.say("train", str(given.examples / "digits.yaml"), *SMALL, **settings)

    def test_progress_leaves_no_stray_lines(self):
        sent = self.train(columns=40)
        self.assertIn("\x1b[K", sent)
        lines = screen(sent.replace("\r\n", "\n"), 40)
        self.assertEqual(2, sum(line.startswith("epoch ") for line in lines), "\n".join(lines))
        before = lines[:next(place for place, line in enumerate(lines) if line.startswith("done"))]
        shape = r"(note: .*|epoch \d+/2  step \d+/\d+.*|  \S+ [\d.e+-]+.*|  [\d,]+ samples/s.*|  [\d.]+s left.*|)"
        for line in before:
            self.assertRegex(line, "^" + shape + "$", "\n".join(lines))
            self.assertLessEqual(len(line), 40)

    def test_epochs_are_rows_of_a_table_where_there_is_room(self):
        lines = screen(self.train(columns=120).replace("\r\n", "\n"), 120)
        head = next(place for place, line in enumerate(lines) if line.startswith("epoch "))
        self.assertRegex(lines[head], r"^epoch  step  samples/s +left .*eval/accuracy .*train/loss   \* best so far$")
        self.assertRegex(lines[head + 1], r"^ +1/2 +23 +[\d,]+ +[\d.]+s .*\*")
        self.assertRegex(lines[head + 2], r"^ +2/2 +46 ")
        self.assertEqual(len(lines[head + 1]), len(lines[head + 2]))

    def test_the_moving_line_keeps_what_matters_most(self):
        for columns, wanted in ((40, r"^1/2  \[[#.]+\] \d+%  [\d.]+s left  loss [\d.]+$"),
                                (120, r"^epoch 1/2  \[[#.]+\] \d+%  [\d.]+s left  loss [\d.]+  [\d,]+ samples/s  "
                                      r"step \d+/46  \d+% waiting for data$")):
            passing = re.findall(r"\r\x1b\[K((?:epoch )?\d/2  \[[^\r]*)", self.train(columns=columns, LC_ALL="C"))
            self.assertTrue(passing)
            self.assertLess(max(map(len, passing)), columns)
            self.assertTrue(any(re.match(wanted, line.rstrip()) for line in passing), passing[:3])

    def test_every_line_fits_a_terminal_that_is_resized(self):
        sent = self.say("train", str(given.examples / "digits.yaml"), *SMALL, "train.epochs=30", columns=120,
                        later=(40, 140), LC_ALL="C")
        wide, narrow, wider = sent.split(RESIZED)
        for text, columns in ((wide, 120), (narrow, 40), (wider, 140)):
            # The first one may have been made for the terminal before.
            lines = [line.rstrip() for line in re.split(r"\r\n|\r\x1b\[K", text)[2:]]
            lines = lines[:next((place for place, line in enumerate(lines) if line.startswith("done")), None)]
            self.assertGreater(sum("] " in line for line in lines), 10, text)
            self.assertLess(max(map(len, lines)), columns, max(lines, key=len))
            self.assertGreater(max(map(len, lines)), columns / 2, "there is room for more")

    def test_a_terminal_that_cannot_move_sees_plain_lines(self):
        sent = self.train(terminal="dumb")
        self.assertNotIn("\x1b", sent)
        self.assertNotIn("\r", sent.replace("\r\n", "\n"))
        self.assertEqual(2, sent.count("epoch "))


if __name__ == "__main__":
    sys.argv[1:] = []
    unittest.main()
