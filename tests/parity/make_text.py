"""Writes tests/parity/text.json, and its files for tests/conformance/bpe: byte pairs, cut and merged by GPT-2's
published algorithm in plain Python. Needs the standard library only."""
import json
import pathlib
import re
import struct
import unicodedata

FOLDER = pathlib.Path(__file__).parent
TEXTS = [
    "Hello world, it's we'll they've I'm you'd don't 're 'S",
    "  two  blanks\n\nand\tlines \n",
    "na\u00efve caf\u00e9 \u043f\u0440\u0438\u0432\u0435\u0442 \u4f60\u597d \u0967\u0968 \u00b2\u00bd 12ab34 x_y",
    "emoji \U0001f600\U0001f680 and\u00a0no-break\u3000wide ...!?",
    "   ", "a", " a", "'", "''s", "aaaaaaaaaaaaaaaa the theme of the other thing",
    "e\u0301 \u0939\u093f\u0928\u094d\u0926\u0940",
]


def pieces(text):
    """GPT-2's expression; `re` has no \\p, so that the letters and numbers of the text are listed."""
    def listed(kind):
        return "".join(sorted({re.escape(c) for c in text if unicodedata.category(c)[0] == kind})) or "\\uffff"
    letters, numbers = listed("L"), listed("N")
    expression = (f"'s|'t|'re|'ve|'m|'ll|'d| ?[{letters}]+| ?[{numbers}]+| ?[^\\s{letters}{numbers}]+"
                  "|\\s+(?!\\S)|\\s+")
    return re.findall(expression, text)


def byte_letters():
    seen = [*range(33, 127), *range(161, 173), *range(174, 256)]
    codes = dict(zip(seen, seen))
    extra = 256
    for byte in range(256):
        if byte not in codes:
            codes[byte] = extra
            extra += 1
    return {byte: chr(code) for byte, code in codes.items()}


def merged(parts, ranks):
    """Merges all places of the pair with the lowest rank, and again."""
    parts = list(parts)
    while len(parts) > 1:
        best = min(zip(parts, parts[1:]), key=lambda pair: ranks.get(pair, 1 << 30))
        if best not in ranks:
            break
        out = []
        while parts:
            if tuple(parts[:2]) == best:
                out.append(parts[0] + parts[1])
                del parts[:2]
            else:
                out.append(parts.pop(0))
        parts = out
    return parts


def train(words, rules):
    ranks = {}
    for _ in range(rules):
        counts = {}
        for word in words:
            parts = merged(word, ranks)
            for pair in zip(parts, parts[1:]):
                counts[pair] = counts.get(pair, 0) + 1
        best = max(sorted(counts), key=lambda pair: counts[pair])
        if counts[best] < 2:
            break
        ranks[best] = len(ranks)
    return ranks


def field(number, payload):
    return varint(number << 3 | 2) + varint(len(payload)) + payload


def varint(value):
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


letters = byte_letters()
words = ["".join(letters[byte] for byte in piece.encode()) for text in TEXTS * 2 for piece in pieces(text)]
ranks = train(words, 70)
tokens = [letters[byte] for byte in range(256)] + ["".join(pair) for pair in ranks] + ["<|endoftext|>"]
vocab = {token: number for number, token in enumerate(dict.fromkeys(tokens))}
cases = []
for text in TEXTS:
    cut = pieces(text)
    numbers = [vocab[part] for piece in cut
               for part in merged("".join(letters[byte] for byte in piece.encode()), ranks)]
    cases.append({"text": text, "pieces": cut, "tokens": numbers})
merges = "#version: 0.2\n" + "".join(f"{left} {right}\n" for left, right in ranks)
(FOLDER / "text.json").write_text(json.dumps({"vocab": vocab, "merges": merges, "cases": cases}) + "\n")
TRIED = FOLDER.parent / "conformance/bpe"
TRIED.mkdir(exist_ok=True)
(TRIED / "vocab.json").write_text(json.dumps(vocab) + "\n")
(TRIED / "merges.txt").write_text(merges)
