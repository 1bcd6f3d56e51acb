"""Writes tests/corpus/sentencepiece/*.model and tests/parity/sentencepiece.json: small models that SentencePiece
(Debian's python3-sentencepiece 0.1.97) trained, and what it makes of texts. Give a folder to also write a large model
there with the library's own rules, which is too large to be kept."""
import io
import json
import os
import pathlib
import sys
import tempfile

import sentencepiece

FOLDER = pathlib.Path(__file__).resolve().parent
MODELS = FOLDER.parent / "corpus" / "sentencepiece"
TRAINING = [
    "The quick brown fox jumps over the lazy dog, and the dog sleeps.",
    "She sells sea shells by the sea shore; the shells she sells are sea shells.",
    "Training text for small models: words, wordings, worded, unworded.",
    "Caf\u00e9 na\u00efve r\u00e9sum\u00e9 \u00fcber stra\u00dfe", "\u4f60\u597d \u4e16\u754c \u4f60\u597d",
    "Numbers 123 456 7890 and 3.14", "How much wood would a woodchuck chuck if a woodchuck could chuck wood?",
] * 3
TEXTS = [
    "The dog sleeps by the sea.", "  leading,  double   and trailing blanks  ", "", " ", "\t\n", "a", "words\nand\tlines",
    "Caf\u00e9 na\u00efve e\u0301 \u00fc \u00df", "\uff28\uff45\uff4c\uff4c\uff4f \ufb01ne \u2460 \u00bd", "\u4f60\u597d\u4e16\u754c\u3002\u4f60",
    "emoji \U0001f600\U0001f680 \u2764\ufe0f end", "unknown \u0416\u0417\u0418 \u05d0\u05d1 letters", "<s> </s> <unk> in a text",
    "a<sep>b <sep> the<sep>re <sep", "<mask>shells<mask>", "\u2581already\u2581there", "zero\u200bwidth\u00a0and\u3000wide",
    "woodchuckchuckwoodchuck 2024 99999", "ABC\u00c0 QUICK", "the" * 40, "unworded wordings " * 6,
]
RULES = [("\uff28", "H"), ("\uff45", "e"), ("\uff4c", "l"), ("\uff4f", "o"), ("\ufb01", "fi"), ("\u2460", "1"),
         ("\u00a0", " "), ("\u3000", " "), ("\t", " "), ("\n", " "), ("\u200b", ""), ("e\u0301", "\u00e9"), ("\u00bd", "1 / 2"),
         ("A", "a"), ("Q", "q")]
KINDS = {
    "unigram": dict(model_type="unigram", vocab_size=120, user_defined_symbols=["<sep>", "<mask>"], control_symbols=["<cls>"]),
    "unigram_bytes": dict(model_type="unigram", vocab_size=400, byte_fallback=True, normalization_rule_name="identity",
                          remove_extra_whitespaces=False),
    "bpe": dict(model_type="bpe", vocab_size=160, user_defined_symbols=["<sep>", "<mask>"]),
    "bpe_bytes": dict(model_type="bpe", vocab_size=380, byte_fallback=True, normalization_rule_name="identity",
                      remove_extra_whitespaces=False, split_digits=True, allow_whitespace_only_pieces=True),
    "word": dict(model_type="word", vocab_size=40),
    "character": dict(model_type="char", vocab_size=70, add_dummy_prefix=False),
    "suffix": dict(model_type="unigram", vocab_size=110, treat_whitespace_as_suffix=True, unk_surface="?"),
    "across": dict(model_type="bpe", vocab_size=160, split_by_whitespace=False),
}


def train(options, rules):
    model = io.BytesIO()
    if "normalization_rule_name" not in options:
        options = options | rules
    sentencepiece.SentencePieceTrainer.train(sentence_iterator=iter(TRAINING), model_writer=model, num_threads=1,
                                             minloglevel=2, hard_vocab_limit=False, **options)
    return model.getvalue()


def cases(model):
    processor = sentencepiece.SentencePieceProcessor(model_proto=model)
    pieces = [processor.id_to_piece(i) for i in range(processor.vocab_size())]
    texts = []
    for text in TEXTS:
        tokens = processor.encode(text)
        texts.append({"text": text, "tokens": tokens, "decoded": processor.decode(tokens)})
    decoded = [{"tokens": tokens, "decoded": processor.decode(tokens)}
               for tokens in ([0], [1, 5, 2], [0, 0, 7], [len(pieces) - 1, 1, len(pieces) - 1])]
    return {"pieces": len(pieces), "texts": texts, "decoded": decoded}


def code_points(text):
    return " ".join("%X" % ord(letter) for letter in text)


stored = {}
with tempfile.TemporaryDirectory() as scratch:
    os.chdir(scratch)  # the name of the rules' file stands in the models
    pathlib.Path("rules.tsv").write_text("".join(f"{code_points(a)}\t{code_points(b)}\n" for a, b in RULES))
    for name, options in KINDS.items():
        model = train(options, {"normalization_rule_tsv": "rules.tsv"})
        (MODELS / f"{name}.model").write_bytes(model)
        stored[name] = cases(model)
    os.chdir(FOLDER)
(FOLDER / "sentencepiece.json").write_text(json.dumps(stored, sort_keys=True) + "\n")
if len(sys.argv) > 1:
    model = train(dict(model_type="unigram", vocab_size=130), {})
    pathlib.Path(sys.argv[1], "large.model").write_bytes(model)
    pathlib.Path(sys.argv[1], "large.json").write_text(json.dumps({"large": cases(model)}))
