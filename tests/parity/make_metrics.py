#!/usr/bin/python3
"""Writes metrics.json: metrics of small samples from scikit-learn, the truth for Hearth's; where it has none, from the
papers' formulas. With ties, classes without samples, samples of one class only, weights and masks (by leaving samples
out), and scores that are no numbers.

Run from the root of the project with Debian's python3-sklearn and python3-nltk: tests/parity/make_metrics.py
"""
import json
import math
import pathlib

import numpy
from sklearn import metrics
from sklearn.preprocessing import label_binarize

import metric_truth

random = numpy.random.default_rng(11)
CASES = []
ROWS = 24


def exact(values):
    """Numbers that a few digits hold, so that both sides compute with the same."""
    return numpy.round(numpy.asarray(values, dtype=float) * 1024) / 1024


def text_of(array, **spec):
    """Values as JSON has them: null stands for what is not a number."""
    values = [None if isinstance(value, float) and math.isnan(value) else value for value in array.flatten().tolist()]
    return {"shape": list(array.shape), "values": values, "whole": array.dtype.kind in "iub", **spec}


def number(value):
    value = float(value)
    return None if math.isnan(value) else float(f"{value:.13g}")


def add(metric, keys, headline, about="", numbers=None, cells=None, **options):
    read = [key for key in keys if key not in ("weight", "mask")]
    case = {"metric": metric, "about": about, "options": {"in": read, **options}, "keys": dict(keys),
            "headline": number(headline)}
    for key in ("weight", "mask"):
        if key in keys:
            case["options"][key] = key
    if numbers:
        case["numbers"] = {name: number(value) for name, value in numbers.items()}
    if cells is not None:
        case["cells"] = [number(value) for value in numpy.asarray(cells, dtype=float).flatten()]
    CASES.append(case)


def softmax(scores):
    powers = numpy.exp(scores - scores.max(1, keepdims=True))
    return powers / powers.sum(1, keepdims=True)


def sigmoid(scores):
    return 1 / (1 + numpy.exp(-scores))


WEIGHT = exact(random.uniform(0.1, 3, ROWS))
WEIGHT[3] = 0
MASK = (random.uniform(size=ROWS) > 0.25).astype(int)


def weighings():
    """About, keys beside the others, and the weights that all comes to; hidden samples have none."""
    yield "", {}, numpy.ones(ROWS)
    yield "weight", {"weight": text_of(WEIGHT)}, WEIGHT
    yield "mask", {"mask": text_of(MASK)}, MASK.astype(float)
    yield "weight and mask", {"weight": text_of(WEIGHT), "mask": text_of(MASK)}, WEIGHT * MASK


def class_samples(about):
    """Scores, labels and how many classes."""
    scores = exact(random.normal(size=(ROWS, 4)))
    labels = random.integers(0, 4, ROWS)
    if about == "empty class":
        labels[labels == 2] = 1
        scores[:, 2] = -9
    if about == "never answered":
        scores[:, 1] = -9
    if about == "one class":
        labels[:] = 1
    if about == "ties":
        scores = numpy.round(scores)
    if about == "all right":
        scores[numpy.arange(ROWS), labels] = 5
    return scores, labels


def averages(score):
    found = {}
    for average in ("macro", "micro", "weighted"):
        found[average] = score(average)
    return found


def class_metrics():
    for about in ("", "ties", "empty class", "never answered", "one class", "all right"):
        scores, labels = class_samples(about)
        answers = scores.argmax(1)
        keys = {"scores": text_of(scores, classes=4), "label": text_of(labels, classes=4)}
        for how, more, weights in weighings():
            seen = weights > 0
            true, given, weight = labels[seen], answers[seen], weights[seen]
            said = " ".join([about, how]).strip()
            every = {**keys, **more}
            came_up = sorted(set(true) | set(given))
            scored = dict(labels=came_up, sample_weight=weight, zero_division=0)
            for name, function, options in (
                    ("precision", metrics.precision_score, {}), ("recall", metrics.recall_score, {}),
                    ("f1", metrics.f1_score, {}), ("f_beta", metrics.fbeta_score, {"beta": 0.5}),
                    ("jaccard", metrics.jaccard_score, {}), ("iou", metrics.jaccard_score, {}),
                    ("dice", metrics.f1_score, {})):
                found = averages(lambda average: function(true, given, average=average, **scored, **options))
                add(name, every, found["macro"], said, found, **options)
            matrix = metrics.confusion_matrix(true, given, labels=range(4), sample_weight=weight)
            outside = [(matrix.sum() - matrix[k].sum() - matrix[:, k].sum() + matrix[k, k],
                        matrix.sum() - matrix[k].sum()) for k in came_up]
            add("specificity", every, numpy.mean([above / below if below else 0 for above, below in outside]), said)
            CASES.append({"metric": "confusion", "about": said, "keys": dict(every), "cells": matrix.flatten().tolist(),
                          "options": {"in": ["scores", "label"], **{key: key for key in more}}})
            add("accuracy", every, metrics.accuracy_score(true, given, sample_weight=weight), said)
            add("balanced_accuracy", every, metrics.balanced_accuracy_score(true, given, sample_weight=weight), said)
            add("mcc", every, metrics.matthews_corrcoef(true, given, sample_weight=weight), said)
            for distance in (None, "linear", "quadratic"):
                add("cohen_kappa", every, metrics.cohen_kappa_score(true, given, labels=range(4), weights=distance,
                                                                     sample_weight=weight),
                    said, distance=distance or "none")
            if about != "ties":  # of equal scores ours takes the first, scikit-learn's the last
                add("top_k", every, metrics.top_k_accuracy_score(true, scores[seen], k=2, labels=range(4),
                                                                  sample_weight=weight), said, k=2)
            shares = softmax(scores)[seen]
            add("log_loss", every, metrics.log_loss(true, shares, labels=range(4), sample_weight=weight), said)
            add("perplexity", every,
                math.exp(metrics.log_loss(true, shares, labels=range(4), sample_weight=weight)), said)
            due = numpy.eye(4)[true]
            add("brier", every, numpy.average(((shares - due) ** 2).sum(1), weights=weight), said)
            add("hinge", every, metrics.hinge_loss(true, scores[seen], labels=range(4), sample_weight=weight), said)
            error, largest = metric_truth.calibration_error(shares, true, weight, 5)
            add("calibration_error", every, error, said, {"largest": largest}, bins=5)
            for name, function in (("roc_auc", metrics.roc_auc_score), ("pr_auc", metrics.average_precision_score)):
                if about == "ties":  # as they are: a softmax rounds differently here and there
                    ranked(name, function, every, scores[seen], true, weight, said, scores="probabilities")
                else:
                    ranked(name, function, every, shares, true, weight, said)


def ranked(name, function, keys, shares, true, weight, about, **options):
    due = label_binarize(true, classes=range(shares.shape[1]))
    each, samples = [], []
    for k in range(shares.shape[1]):
        positive = (due[:, k] * weight).sum()
        samples.append(positive)
        is_defined = positive > 0 and (name == "pr_auc" or positive < weight.sum())
        each.append(function(due[:, k], shares[:, k], sample_weight=weight) if is_defined else math.nan)
    each, samples = numpy.array(each), numpy.array(samples)
    known = ~numpy.isnan(each)
    found = {"macro": each[known].mean() if known.any() else math.nan,
             "micro": function(due.flatten(), shares.flatten(), sample_weight=numpy.repeat(weight, shares.shape[1])),
             "weighted": (each[known] @ samples[known]) / samples[known].sum() if known.any() else math.nan}
    add(name, keys, found["macro"], about, found, numpy.stack([each, samples], 1), **options)


def yes_or_no_metrics():
    for about in ("", "ties", "all yes", "all no"):
        scores = exact(random.normal(size=(ROWS, 1)))
        answers = random.integers(0, 2, ROWS)
        if about == "ties":
            scores = numpy.round(scores)
        if about.startswith("all"):
            answers[:] = about == "all yes"
        keys = {"scores": text_of(scores), "answer": text_of(answers, classes=2)}
        for how, more, weights in weighings():
            seen = weights > 0
            true, score, weight = answers[seen], scores[seen, 0], weights[seen]
            given = (score > 0).astype(int)
            said = " ".join(["yes or no", about, how]).strip()
            every = {**keys, **more}
            add("accuracy", every, metrics.accuracy_score(true, given, sample_weight=weight), said)
            if about == "":
                parts = [metrics.precision_score(true, given, pos_label=k, sample_weight=weight) for k in (0, 1)]
                add("precision", every, numpy.mean(parts), said,
                    cells=[parts[0], weight[true == 0].sum(), parts[1], weight[true == 1].sum()])
            share = sigmoid(score)
            add("brier", every, metrics.brier_score_loss(true, share, sample_weight=weight, pos_label=1), said)
            add("log_loss", every, metrics.log_loss(true, share, labels=[0, 1], sample_weight=weight), said)
            add("hinge", every, numpy.average(numpy.maximum(1 - score * (true * 2 - 1), 0), weights=weight), said)
            both = 0 < (true * weight).sum() < weight.sum()
            add("roc_auc", every, metrics.roc_auc_score(true, share, sample_weight=weight) if both else math.nan, said)
            add("pr_auc", every,
                metrics.average_precision_score(true, share, sample_weight=weight) if true.any() else math.nan, said)


def number_metrics():
    for about in ("", "large mean", "columns", "never changes", "ties"):
        shape = (ROWS, 3) if about == "columns" else (ROWS,)
        truth = exact(random.normal(size=shape))
        guess = exact(truth + random.normal(size=shape) * 0.5)
        if about == "large mean":
            truth, guess = truth + 1024, guess + 1024
        if about == "never changes":
            truth[:] = 2
        if about == "ties":
            truth, guess = numpy.round(truth * 2), numpy.round(guess * 2)
        keys = {"prediction": text_of(guess), "target": text_of(truth)}
        for how, more, weights in weighings():
            seen = weights > 0
            y, x, weight = truth[seen], guess[seen], weights[seen]
            said = " ".join([about, how]).strip()
            every = {**keys, **more}
            square = metrics.mean_squared_error(y, x, sample_weight=weight)
            add("mean_squared_error", every, square, said, {"root": math.sqrt(square)})
            add("root_mean_squared_error", every, math.sqrt(square), said)
            add("mean_absolute_error", every, metrics.mean_absolute_error(y, x, sample_weight=weight), said)
            if not (truth == 0).any():
                add("mean_absolute_percentage_error", every,
                    metrics.mean_absolute_percentage_error(y, x, sample_weight=weight), said)
            if about == "never changes":
                add("spearman", every, math.nan, said)
                add("pearson", every, math.nan, said)
                continue
            many = dict(sample_weight=weight, multioutput="raw_values")
            for name, each in (("r2", metrics.r2_score(y, x, **many)),
                               ("explained_variance", metrics.explained_variance_score(y, x, **many)),
                               ("pearson", metric_truth.correlations(x, y, weight))):
                add(name, every, numpy.mean(each), said, cells=each if about == "columns" else None)
            flat = numpy.repeat(weight, 3) if about == "columns" else weight
            add("spearman", every, metric_truth.rank_correlation(x.flatten(), y.flatten(), flat), said)


def broken_scores():
    scores, labels = class_samples("")
    scores[5, 2] = math.nan
    keys = {"scores": text_of(scores, classes=4), "label": text_of(labels, classes=4)}
    for name in ("log_loss", "brier", "roc_auc", "pr_auc", "perplexity", "calibration_error", "hinge"):
        add(name, keys, math.nan, "not a number")
    hidden = numpy.ones(ROWS, dtype=int)
    hidden[5] = 0
    seen = hidden > 0
    add("log_loss", {**keys, "mask": text_of(hidden)},
        metrics.log_loss(labels[seen], softmax(scores[seen]), labels=range(4)), "hidden is not a number")
    ranked("roc_auc", metrics.roc_auc_score, {**keys, "mask": text_of(hidden)}, softmax(scores[seen]), labels[seen],
           numpy.ones(ROWS - 1), "hidden is not a number")
    truth = exact(random.normal(size=ROWS))
    guess = truth.copy()
    guess[2] = math.nan
    for name in ("mean_squared_error", "mean_absolute_error", "r2", "pearson", "spearman"):
        add(name, {"prediction": text_of(guess), "target": text_of(truth)}, math.nan, "not a number")
    nothing = numpy.zeros(ROWS, dtype=int)
    for name in ("accuracy", "f1", "roc_auc", "log_loss", "mcc"):
        add(name, {**keys, "mask": text_of(nothing)}, math.nan, "all hidden")


if __name__ == "__main__":
    class_metrics()
    yes_or_no_metrics()
    number_metrics()
    broken_scores()
    metric_truth.add_others(add, text_of, random)
    tensors = []
    for case in CASES:  # each tensor once
        for key, tensor in case["keys"].items():
            if tensor not in tensors:
                tensors.append(tensor)
            case["keys"][key] = tensors.index(tensor)
    lines = {name: ",\n".join(json.dumps(one, separators=(",", ":")) for one in many)
             for name, many in (("tensors", tensors), ("cases", CASES))}
    path = pathlib.Path(__file__).parent / "metrics.json"
    path.write_text("{" + ",\n".join(f'"{name}": [\n{text}\n]' for name, text in lines.items()) + "}\n")
    print(f"{len(CASES)} cases, {path.stat().st_size} bytes")
