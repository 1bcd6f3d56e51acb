"""Writes translate.train.jsonl and translate.eval.jsonl: sentences in English and German, the same ones every time."""
import json
import pathlib
import random

FOLDER = pathlib.Path(__file__).resolve().parent
WHO = [("i have", "ich habe"), ("you have", "du hast"), ("he has", "er hat"), ("she has", "sie hat"), ("we have", "wir haben"),
       ("they have", "sie haben")]
DONE = [("seen", "gesehen"), ("found", "gefunden"), ("bought", "gekauft"), ("painted", "gemalt"), ("lost", "verloren"),
        ("heard", "gehört")]
LIKE = ["rot", "klein", "alt", "schön", "neu"]
ENGLISH = dict(zip(LIKE, ["red", "small", "old", "beautiful", "new"]))
# The article and the end of the adjective follow the noun, which comes later; the verb goes to the end.
THINGS = [("dog", "hund", "den", "en"), ("car", "wagen", "den", "en"), ("bird", "vogel", "den", "en"), ("cat", "katze", "die", "e"),
          ("clock", "uhr", "die", "e"), ("lamp", "lampe", "die", "e"), ("house", "haus", "das", "e"), ("book", "buch", "das", "e"),
          ("horse", "pferd", "das", "e")]


def pair(draw):
    who, done, like, thing = draw.choice(WHO), draw.choice(DONE), draw.choice(LIKE), draw.choice(THINGS)
    return {"english": f"{who[0]} {done[0]} the {ENGLISH[like]} {thing[0]}",
            "german": f"{who[1]} {thing[2]} {like}{thing[3]} {thing[1]} {done[1]}"}


def write(part, pairs):
    with open(FOLDER / f"translate.{part}.jsonl", "w", encoding="utf-8") as file:
        for each in pairs:
            file.write(json.dumps(each, ensure_ascii=False) + "\n")


draw = random.Random(5)
pairs = list({each["english"]: each for each in (pair(draw) for _ in range(500))}.values())
write("train", pairs[:320])
write("eval", pairs[320:380])
