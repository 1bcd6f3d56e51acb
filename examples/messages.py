"""Writes messages.train.jsonl and messages.eval.jsonl: made-up messages of three topics, the same ones every time."""
import json
import pathlib
import random

FOLDER = pathlib.Path(__file__).resolve().parent
TOPICS = {
    "cooking": (["soup", "bread", "cake", "rice", "sauce", "dough"], ["bake", "boil", "stir", "salt", "taste", "burn"],
                ["in the oven", "on the stove", "with butter", "for dinner"]),
    "travel": (["train", "hotel", "ticket", "suitcase", "flight", "map"], ["book", "miss", "pack", "board", "cancel", "catch"],
               ["at the station", "to the coast", "before noon", "for the weekend"]),
    "garden": (["rose", "hedge", "lawn", "tulip", "apple tree", "weed"], ["plant", "water", "cut", "dig up", "mow", "prune"],
               ["in the shade", "by the fence", "after the rain", "every spring"])}
FORMS = ["I want to {verb} the {thing} {where}.", "Did you {verb} my {thing}?", "Please {verb} it, the {thing} is ready {where}.",
         "We never {verb} a {thing} {where}!", "How do I {verb} this {thing}?", "The {thing} was fine {where}, I said."]


def message(draw, topic):
    things, verbs, places = TOPICS[topic]
    strange = draw.choice([one for one in TOPICS if one != topic])  # one word of another topic misleads
    place = draw.choice(places if draw.random() < 0.7 else TOPICS[strange][2])
    return draw.choice(FORMS).format(thing=draw.choice(things), verb=draw.choice(verbs), where=place)


def write(part, count, draw):
    with open(FOLDER / f"messages.{part}.jsonl", "w", encoding="utf-8") as file:
        for _ in range(count):
            topic = draw.choice(list(TOPICS))
            file.write(json.dumps({"text": message(draw, topic), "topic": topic}) + "\n")


draw = random.Random(5)
write("train", 300, draw)
write("eval", 90, draw)
