"""Metrics that scikit-learn does not have, in plain Python from their definitions: the truth for make_metrics.py."""
import math

import numpy
from nltk.translate import bleu_score
from sklearn import metrics


def calibration_error(shares, labels, weights, bins):
    """Guo et al., On Calibration of Modern Neural Networks: bins have their upper bound."""
    sure, right = shares.max(1), shares.argmax(1) == labels
    total, largest = 0.0, 0.0
    for k in range(bins):
        low = -1 if k == 0 else k / bins
        inside = (sure > low) & (sure <= (k + 1) / bins)
        if not weights[inside].sum():
            continue
        apart = abs(numpy.average(sure[inside], weights=weights[inside])
                    - numpy.average(right[inside], weights=weights[inside]))
        total += apart * weights[inside].sum()
        largest = max(largest, apart)
    return total / weights.sum(), largest


def correlation(x, y, weights):
    x, y = x - numpy.average(x, weights=weights), y - numpy.average(y, weights=weights)
    return (weights * x * y).sum() / numpy.sqrt((weights * x * x).sum() * (weights * y * y).sum())


def correlations(x, y, weights):
    x, y = x.reshape(len(x), -1), y.reshape(len(y), -1)
    return [correlation(x[:, k], y[:, k], weights) for k in range(x.shape[1])]


def rank_correlation(x, y, weights):
    """A number's rank is the weight of all that is smaller and half of what is equal; without weights this is the usual
    mean rank but for a constant."""
    def ranks(values):
        return numpy.array([weights[values < value].sum() + weights[values == value].sum() / 2 for value in values])
    return correlation(ranks(x), ranks(y), weights)


def reciprocal_rank(scores, relevance, k):
    order = numpy.argsort(-scores, kind="stable")
    for place, number in enumerate(order[:k or None]):
        if relevance[number] > 0:
            return 1 / (place + 1)
    return 0.0


def edit_distance(left, right):
    """Levenshtein's, from his definition."""
    table = {(i, 0): i for i in range(len(left) + 1)} | {(0, k): k for k in range(len(right) + 1)}
    for i in range(1, len(left) + 1):
        for k in range(1, len(right) + 1):
            table[i, k] = min(table[i - 1, k] + 1, table[i, k - 1] + 1,
                              table[i - 1, k - 1] + (left[i - 1] != right[k - 1]))
    return table[len(left), len(right)]


def overlap(one, other):
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    if width <= 0 or height <= 0:
        return 0.0
    both = width * height
    return both / ((one[2] - one[0]) * (one[3] - one[1]) + (other[2] - other[0]) * (other[3] - other[1]) - both)


def area(box):
    return (box[2] - box[0]) * (box[3] - box[1])


def found_boxes(image, label, least_overlap, areas):
    """The detections of one image and class: (score, right, counts), and how many boxes count."""
    def outside(box):
        return not areas[0] <= area(box) <= areas[1]
    detections, boxes, labels = image
    truth = sorted((list(box) for box, its in zip(boxes, labels) if its == label), key=outside)
    found = sorted((list(row) for row in detections if row[4] > 0 and row[5] == label), key=lambda row: -row[4])[:100]
    taken, result = set(), []
    for row in found:
        best, most = None, least_overlap
        for number, box in enumerate(truth):
            if number in taken:
                continue
            if best is not None and not outside(truth[best]) and outside(box):
                break
            if overlap(row, box) >= most:
                best, most = number, overlap(row, box)
        if best is None:
            result.append((row[4], False, not outside(row)))
        else:
            taken.add(best)
            result.append((row[4], True, not outside(truth[best])))
    return result, sum(not outside(box) for box in truth)


def class_precision(images, label, least_overlap, areas, weights):
    """Average precision at 101 recalls, as Lin et al. describe it."""
    found, boxes = [], 0.0
    for image, weight in zip(images, weights):
        detections, count = found_boxes(image, label, least_overlap, areas)
        found += [(score, right, weight) for score, right, counts in detections if counts and weight]
        boxes += weight * count
    if not boxes:
        return math.nan, math.nan
    right = wrong = 0.0
    curve = []
    for _, is_right, weight in sorted(found, key=lambda one: -one[0]):
        right, wrong = (right + weight, wrong) if is_right else (right, wrong + weight)
        curve.append((right / boxes, right / (right + wrong)))
    precisions = [max([precision for recall, precision in curve if recall >= step / 100], default=0)
                  for step in range(101)]
    return sum(precisions) / 101, right / boxes


def coco(images, weights):
    labels = sorted({label for _, _, all_labels in images for label in all_labels if label >= 0}
                    | {int(row[5]) for detections, _, _ in images for row in detections if row[4] > 0})
    overlaps = [0.5 + 0.05 * step for step in range(10)]
    def mean(numbers):
        known = [number for number in numbers if not math.isnan(number)]
        return sum(known) / len(known) if known else math.nan
    def precisions(areas, among):
        return [class_precision(images, label, least, areas, weights)[0] for label in labels for least in among]
    everything = (0, 1e10)
    return mean(precisions(everything, overlaps)), {
        "at_50": mean(precisions(everything, overlaps[:1])), "at_75": mean(precisions(everything, overlaps[5:6])),
        "small": mean(precisions((0, 32 ** 2), overlaps)), "medium": mean(precisions((32 ** 2, 96 ** 2), overlaps)),
        "large": mean(precisions((96 ** 2, 1e10), overlaps)),
        "recall": mean([class_precision(images, label, least, everything, weights)[1]
                        for label in labels for least in overlaps])}


def add_rankings(add, text_of, random):
    for about in ("", "ties"):
        scores = numpy.round(random.normal(size=(12, 6)) * (2 if about else 1024)) / (2 if about else 1024)
        relevance = random.integers(0, 4, (12, 6)) * (random.uniform(size=(12, 6)) > 0.4)
        relevance[:, 0] = numpy.maximum(relevance[:, 0], 1)
        weight = numpy.round(random.uniform(0.5, 2, 12) * 64) / 64
        keys = {"scores": text_of(scores), "relevance": text_of(relevance)}
        weighed = {**keys, "weight": text_of(weight)}
        for k in (None, 3):
            add("ndcg", keys, metrics.ndcg_score(relevance, scores, k=k), about, k=k or 0)
            add("ndcg", weighed, metrics.ndcg_score(relevance, scores, k=k, sample_weight=weight), about, k=k or 0)
            ranks = [reciprocal_rank(*row, k) for row in zip(scores, relevance)]
            add("mean_reciprocal_rank", weighed, numpy.average(ranks, weights=weight), about, k=k or 0)
        binary = (relevance > 0).astype(int)
        add("ranking_map", keys, metrics.label_ranking_average_precision_score(binary, scores), about)
        add("ranking_map", weighed,
            metrics.label_ranking_average_precision_score(binary, scores, sample_weight=weight), about)
    broken = scores.copy()
    broken[0, 0] = math.nan
    add("ndcg", {**keys, "scores": text_of(broken)}, math.nan, "not a number")


def finds(points, labels, number, ks):
    """What one sample finds among all others: average precision, reciprocal rank, matches among the first k."""
    others = [k for k in range(len(points)) if k != number]
    others.sort(key=lambda k: ((points[k] - points[number]) ** 2).sum())
    same = [labels[k] == labels[number] for k in others]
    places = [place + 1 for place, is_same in enumerate(same) if is_same]
    if not places:
        return None
    precision = numpy.mean([(count + 1) / place for count, place in enumerate(places)])
    return [precision, 1 / places[0]] + [float(any(same[:k])) for k in ks]


def add_galleries(add, text_of, random):
    points = numpy.round(random.normal(size=(30, 3)) * 1024) / 1024
    labels = random.integers(0, 6, 30)
    labels[7] = 99  # alone
    weight = numpy.round(random.uniform(0.5, 2, 30) * 64) / 64
    mask = (random.uniform(size=30) > 0.2).astype(int)
    for about in ("", "cosine", "weight", "mask"):
        keys = {"point": text_of(points), "label": text_of(labels)}
        seen, weights = numpy.ones(30, dtype=bool), numpy.ones(30)
        if about == "weight":
            keys["weight"], weights = text_of(weight), weight
        if about == "mask":
            keys["mask"], seen = text_of(mask), mask > 0
        used = points / numpy.linalg.norm(points, axis=1, keepdims=True) if about == "cosine" else points
        found = [(finds(used[seen], labels[seen], number, (1, 3)), its)
                 for number, its in enumerate(weights[seen])]
        rows = numpy.array([row for row, _ in found if row])
        means = numpy.average(rows, axis=0, weights=[its for row, its in found if row])
        distance = "cosine" if about == "cosine" else "euclidean"
        add("retrieval", keys, means[2], about, {"mean_average_precision": means[0], "mean_reciprocal_rank": means[1],
                                                 "rank_3": means[3]}, k=3, distance=distance)
        add("cmc", keys, means[2], about, {"rank_1": means[2], "rank_3": means[3]}, k=[1, 3], distance=distance)


def add_texts(add, text_of, random):
    guess, truth = random.integers(1, 6, (10, 9)), random.integers(1, 6, (10, 8))
    guess[:, :6] = numpy.where(random.uniform(size=(10, 6)) < 0.8, truth[:, :6], guess[:, :6])
    for row in range(10):
        guess[row, random.integers(5, 9):] = 0
        truth[row, random.integers(5, 8):] = 0
    guesses = [[int(token) for token in row if token] for row in guess]
    truths = [[int(token) for token in row if token] for row in truth]
    keys = {"prediction": text_of(guess), "target": text_of(truth)}
    edits = [edit_distance(left, right) for left, right in zip(guesses, truths)]
    weight = numpy.array([1, 2, 0, 1, 3, 1, 1, 2, 1, 1])
    add("word_error_rate", keys, sum(edits) / sum(map(len, truths)), ignored=[0])
    add("word_error_rate", {**keys, "weight": text_of(weight)},
        (weight * edits).sum() / (weight * [len(text) for text in truths]).sum(), "weight", end=0)
    add("edit_distance", keys, numpy.mean(edits), "",
        {"normalized": numpy.mean([edit / max(len(left), len(right))
                                   for edit, left, right in zip(edits, guesses, truths)])}, ignored=[0])
    references = [[text] for text in truths]
    add("bleu", keys, bleu_score.corpus_bleu(references, guesses), "nltk", ignored=[0])
    add("bleu", keys, bleu_score.corpus_bleu(references, guesses, weights=(0.5, 0.5)), "nltk", ignored=[0], n=2)
    repeated = [text for text, times in zip(guesses, weight) for _ in range(times)]
    add("bleu", {**keys, "weight": text_of(weight)},
        bleu_score.corpus_bleu([[text] for text, times in zip(truths, weight) for _ in range(times)], repeated),
        "as often as their weight", end=0)
    short = numpy.array([[1, 2, 3, 0, 0], [4, 5, 0, 0, 0]])
    full = numpy.array([[1, 2, 4, 5, 3], [4, 5, 1, 2, 0]])
    # Post's sacrebleu: of runs of 3 and 4 none is right, which count half and a quarter of one; there is 1 run of 3.
    shares = [5 / 5, 2 / 3, (1 / 2) / 1]
    add("bleu", {"prediction": text_of(short), "target": text_of(full)},
        math.exp(1 - 9 / 5) * math.exp(sum(map(math.log, shares)) / 3), "exp", ignored=[0], n=3, smoothing="exp")
    add("bleu", {"prediction": text_of(short), "target": text_of(full)}, 0, "none right", ignored=[0])


def add_clusters(add, text_of, random):
    for about in ("", "one group", "each alone", "the same"):
        clusters, labels = random.integers(0, 4, 24), random.integers(0, 3, 24)
        if about == "one group":
            clusters[:] = 2
        if about == "each alone":
            clusters = numpy.arange(24)
        if about == "the same":
            clusters = 5 - labels
        mask = (random.uniform(size=24) > 0.3).astype(int)
        keys = {"cluster": text_of(clusters), "label": text_of(labels)}
        for more, seen in (({}, slice(None)), ({"mask": text_of(mask)}, mask > 0)):
            add("nmi", {**keys, **more}, metrics.normalized_mutual_info_score(labels[seen], clusters[seen]), about)
            add("ari", {**keys, **more}, metrics.adjusted_rand_score(labels[seen], clusters[seen]), about)


def draw_image(random, about):
    sides = random.choice([10, 20, 50, 80, 120, 200], (5, 2)) + random.integers(0, 8, (5, 2))
    corner = random.integers(0, 200, (5, 2))
    boxes = numpy.concatenate([corner, corner + sides], 1).astype(float)
    labels = random.integers(0, 3, 5)
    labels[random.integers(2, 6):] = -100
    if about == "no boxes":
        labels[:] = -100
    moved = numpy.concatenate([boxes, boxes[:3]]) + numpy.round(random.normal(size=(8, 4)) * 4)
    scores = numpy.round(random.uniform(0.05, 1, (8, 1)) * 4096) / 4096
    scores[6:] *= random.integers(0, 2)
    classes = numpy.concatenate([numpy.maximum(labels, 0), random.integers(0, 4, 3)])[:, None]
    return numpy.concatenate([moved, scores, classes], 1), boxes, labels


def add_detections(add, text_of, random):
    for about in ("", "no boxes", "not a number"):
        images = [draw_image(random, about) for _ in range(8)]
        weight = numpy.array([1, 2, 0.5, 1, 0, 1, 3, 1])
        keys = {name: text_of(numpy.stack([image[part] for image in images]))
                for part, name in enumerate(("detections", "boxes", "labels"))}
        headline, numbers = coco(images, numpy.ones(8))
        if about == "not a number":
            broken = numpy.stack([image[0] for image in images])
            broken[1, 2, 4] = math.nan
            add("coco_map", {**keys, "detections": text_of(broken)}, math.nan, about)
            continue
        add("coco_map", keys, headline, about, numbers)
        headline, numbers = coco(images, weight)
        add("coco_map", {**keys, "weight": text_of(weight)}, headline, about, numbers)


def add_others(add, text_of, random):
    add_galleries(add, text_of, random)
    add_rankings(add, text_of, random)
    add_texts(add, text_of, random)
    add_clusters(add, text_of, random)
    add_detections(add, text_of, random)
