#!/usr/bin/python3
"""Writes losses.json: losses and their gradients, from PyTorch's functions or the papers' formulas in double, the
truth for Hearth's. Each loss is given as numbers for its samples or elements and how much each counts; means, sums,
weights and masks are made of these here, a mask of samples by leaving the others out.

Run from the root of the project with Python's torch and torchvision installed: tests/parity/make_losses.py
"""
import json
import math
import pathlib

import torch
import torchvision
from torch.nn import functional

torch.manual_seed(5)
ROWS = 6
CASES = []


def exact(values):
    """Numbers that a few digits hold, so that both sides compute with the same."""
    return (values.double() * 1024).round().div(1024).requires_grad_()


def draw(*shape, scale=1.0):
    return exact(torch.randn(*shape) * scale)


def classes(count, *shape):
    labels = torch.randint(count, shape or (ROWS,))
    labels.flatten()[:count] = torch.arange(count)[:labels.numel()]
    return labels


def rounded(values, digits=9):
    return [float(f"{value:.{digits}g}") for value in values]


def text_of(key):
    tensor, spec = key
    return {"shape": list(tensor.shape), "values": rounded(tensor.detach().double().flatten().tolist()), **spec}


def variant(keys, result, **more):
    """The expected number, and the gradients of all keys that can have one."""
    floats = [tensor for tensor, _ in keys if tensor.requires_grad]
    found = iter(torch.autograd.grad(result, floats, allow_unused=True, retain_graph=True))
    gradients = []
    for tensor, _ in keys:
        gradient = next(found) if tensor.requires_grad else None
        gradients.append([] if gradient is None else rounded(gradient.flatten().tolist(), 6))
    return {"result": rounded([result.item()])[0], "gradients": gradients, **more}


def total(losses, counts, weight=None):
    counts = torch.ones_like(losses) if counts is None else counts.to(losses.dtype).expand_as(losses)
    if weight is not None:
        weight = weight.reshape(-1, *[1] * (losses.dim() - 1))
        losses, counts = losses * weight, counts * weight
    return losses.sum(), counts.sum()


def try_loss(loss, options, keys, oracle, about="", own=False, spread=True):
    """`oracle` takes the tensors of the keys and gives (losses, counts). `own`: the last key is a parameter."""
    def run(rows=None, weight=None):
        tensors = [tensor if rows is None or (own and i == len(keys) - 1) else tensor[rows]
                   for i, (tensor, _) in enumerate(keys)]
        found = oracle(*tensors)
        losses, counts = found if isinstance(found, tuple) else (found, None)
        return total(losses, counts, weight)

    above, below = run()
    variants = [variant(keys, above / below)]
    if spread:
        weight = torch.tensor([0.5, 2, 0, 1, 3, 0.25], dtype=torch.double)
        mask = torch.tensor([1, 1, 0, 1, 1, 1], dtype=torch.bool)
        weights, shown = {"weight": weight.tolist()}, {"mask": mask.long().tolist()}
        variants.append(variant(keys, above, reduction="sum"))
        above, below = run(weight=weight)
        variants.append(variant(keys, above / below, **weights))
        above, below = run(rows=mask)
        variants.append(variant(keys, above / below, **shown))
        above, below = run(rows=mask, weight=weight[mask])
        variants.append(variant(keys, above / below, **weights, **shown))
    CASES.append({"loss": loss, "about": about, "options": options, "own": own, "keys": [text_of(key) for key in keys],
                  "variants": variants})


def number(tensor):
    return tensor, {}


def label(tensor, count):
    return tensor, {"classes": count}


# Regression.
predicted, truth = draw(ROWS, 3, scale=2), draw(ROWS, 3)
both = [number(predicted), number(truth)]
try_loss("mse_loss", {}, both, lambda p, t: functional.mse_loss(p, t, reduction="none"))
try_loss("mse_loss", {}, [number(draw(ROWS, 1)), number(draw(ROWS))], lambda p, t: (p.flatten() - t) ** 2, "column", spread=False)
try_loss("mae_loss", {}, both, lambda p, t: functional.l1_loss(p, t, reduction="none"))
try_loss("huber_loss", {"delta": 0.7}, both, lambda p, t: functional.huber_loss(p, t, reduction="none", delta=0.7))
try_loss("huber_loss", {"delta": 0.5, "form": "smooth_l1"}, both,
         lambda p, t: functional.smooth_l1_loss(p, t, reduction="none", beta=0.5), "smooth")


def pinball(quantiles):
    def oracle(p, t):
        losses = []
        for i, quantile in enumerate(quantiles):
            error = t - (p[:, i] if len(quantiles) > 1 else p)
            losses.append(torch.where(error > 0, quantile * error, (quantile - 1) * error))
        return torch.stack(losses, 1) if len(quantiles) > 1 else losses[0]
    return oracle


try_loss("quantile_loss", {"quantiles": [0.1, 0.5, 0.9]}, [number(predicted), number(draw(ROWS))], pinball([0.1, 0.5, 0.9]))
try_loss("quantile_loss", {"quantiles": 0.8}, both, pinball([0.8]), "one", spread=False)

# Classes.
scores, labels = draw(ROWS, 4, scale=2), classes(4)
ranked = [number(scores), label(labels, 4)]
class_weights = [1, 2, 0.5, 3]


def cross_entropy(weights=None, smoothing=0.0, ignore=-100):
    weights = None if weights is None else torch.tensor(weights, dtype=torch.double)

    def oracle(s, l):
        losses = functional.cross_entropy(s, l, weights, reduction="none", label_smoothing=smoothing, ignore_index=ignore)
        if l.is_floating_point():
            return losses
        kept = l.where(l != ignore, torch.zeros_like(l))
        counts = torch.ones(l.shape, dtype=torch.double) if weights is None else weights[kept]
        return losses, counts * (l != ignore)
    return oracle


try_loss("cross_entropy", {}, ranked, cross_entropy())
try_loss("cross_entropy", {"class_weights": class_weights}, ranked, cross_entropy(class_weights), "class weights")
try_loss("cross_entropy", {"class_weights": class_weights, "label_smoothing": 0.2}, ranked, cross_entropy(class_weights, 0.2),
         "smoothed class weights")
try_loss("cross_entropy", {"ignore": 2}, ranked, cross_entropy(ignore=2), "ignored")
some = labels.clone()
some[1] = -100
try_loss("cross_entropy", {"class_weights": class_weights}, [number(scores), label(some, 4)], cross_entropy(class_weights), "-100")
shares = exact(torch.softmax(draw(ROWS, 4).detach(), 1)).detach()
soft = [number(scores), (shares, {"classes": 4, "soft": True})]
try_loss("cross_entropy", {}, soft, cross_entropy(), "soft")
try_loss("cross_entropy", {"class_weights": class_weights, "label_smoothing": 0.1}, soft, cross_entropy(class_weights, 0.1),
         "soft class weights")
places = [number(draw(ROWS, 4, 3, 2)), label(classes(4, ROWS, 3, 2), 4)]
try_loss("cross_entropy", {"class_weights": class_weights}, places, cross_entropy(class_weights), "places")
extreme = [number((scores.detach() * 5000).requires_grad_()), label(labels, 4)]
try_loss("cross_entropy", {}, extreme, cross_entropy(), "extreme")

answers = torch.randint(2, (ROWS, 4)).double()
judged = [number(scores), number(answers)]


def binary(pos_weight=None):
    weight = None if pos_weight is None else torch.tensor(pos_weight, dtype=torch.double)
    return lambda s, a: functional.binary_cross_entropy_with_logits(s, a, reduction="none", pos_weight=weight)


try_loss("binary_cross_entropy", {}, judged, binary())
try_loss("binary_cross_entropy", {"pos_weight": class_weights}, judged, binary(class_weights), "pos_weight")
try_loss("binary_cross_entropy", {"label_smoothing": 0.2}, judged, lambda s, a: binary()(s, a * 0.8 + 0.1), "smoothed", spread=False)
try_loss("binary_cross_entropy", {}, [number((scores.detach() * 5000).requires_grad_()), number(answers)], binary(), "extreme")
try_loss("binary_cross_entropy", {}, [number(draw(ROWS, 1)), label(classes(2), 2)],
         lambda s, a: binary()(s.flatten(), a.double()), "two classes")


def focal(gamma, alpha):
    def oracle(s, l):
        chances = torch.softmax(s, 1).gather(1, l[:, None])[:, 0]
        known = torch.log_softmax(s, 1).gather(1, l[:, None])[:, 0]
        losses = -((1 - chances) ** gamma) * known
        return losses if alpha is None else losses * torch.tensor(alpha, dtype=torch.double)[l]
    return oracle


try_loss("focal_loss", {"gamma": 2}, ranked, focal(2, None))
try_loss("focal_loss", {"gamma": 0.5, "alpha": class_weights}, ranked, focal(0.5, class_weights), "alpha")
try_loss("focal_loss", {"form": "binary", "alpha": 0.25}, judged,
         lambda s, a: torchvision.ops.sigmoid_focal_loss(s, a, 0.25, 2, "none"), "binary")
try_loss("focal_loss", {"gamma": 2}, extreme, focal(2, None), "extreme")
try_loss("hinge_loss", {"margin": 0.8}, ranked,
         lambda s, l: functional.multi_margin_loss(s, l, margin=0.8, reduction="none"))
try_loss("hinge_loss", {"squared": True}, ranked, lambda s, l: functional.multi_margin_loss(s, l, p=2, reduction="none"), "squared")
try_loss("hinge_loss", {"form": "binary"}, judged, lambda s, a: (1 - s * (2 * a - 1)).clamp_min(0), "binary")
try_loss("kl_loss", {}, [number(scores), number(shares)],
         lambda s, t: functional.kl_div(torch.log_softmax(s, 1), t, reduction="none").sum(1))
teacher = draw(ROWS, 4)
try_loss("kl_loss", {"truth": "scores"}, [number(scores), number(teacher)],
         lambda s, t: functional.kl_div(torch.log_softmax(s, 1), torch.log_softmax(t, 1), reduction="none", log_target=True).sum(1),
         "scores")
known, taught = torch.log_softmax(scores.detach(), 1).requires_grad_(), torch.log_softmax(teacher.detach(), 1)
try_loss("kl_loss", {"predicted": "log_probability", "truth": "log_probability"}, [number(known), number(taught)],
         lambda s, t: functional.kl_div(s, t, reduction="none", log_target=True).sum(1), "logarithms")


def distilled(s, t, l=None):
    soft_part = 9 * functional.kl_div(torch.log_softmax(s / 3, 1), torch.softmax(t.detach() / 3, 1), reduction="none").sum(1)
    return soft_part if l is None else 0.7 * soft_part + 0.3 * functional.cross_entropy(s, l, reduction="none")


try_loss("distillation_loss", {"temperature": 3, "alpha": 0.7}, [number(scores), number(teacher), label(labels, 4)], distilled)
try_loss("distillation_loss", {"temperature": 3}, [number(scores), number(teacher)], distilled, "teacher", spread=False)

# Regions, boxes and images.


def regions(share, is_binary=False, skip_first=False):
    def oracle(s, l):
        if is_binary:
            p, t = torch.sigmoid(s), l
        else:
            p, t = torch.softmax(s, 1), functional.one_hot(l, s.shape[1]).movedim(-1, 1).double()
        p, t = p.flatten(2), t.flatten(2)
        found = share((p * t).sum(2), p.sum(2), t.sum(2))
        return 1 - (found[:, 1:] if skip_first else found).mean(1)
    return oracle


def dice(shared, p, t, smooth=1):
    return (2 * shared + smooth) / (p + t + smooth)


def jaccard(shared, p, t, smooth=1):
    return (shared + smooth) / (p + t - shared + smooth)


def little(share):
    return lambda shared, p, t: share(shared, p, t, 0.1)


masks = [number(draw(ROWS, 2, 3, 4)), number(torch.randint(2, (ROWS, 2, 3, 4)).double())]
try_loss("dice_loss", {}, places, regions(dice))
try_loss("dice_loss", {"skip_first": True}, places, regions(dice, skip_first=True), "foreground", spread=False)
try_loss("dice_loss", {"form": "binary"}, masks, regions(dice, True), "binary")
try_loss("dice_loss", {"smooth": 0.1}, places, regions(little(dice)), "less smooth", spread=False)
try_loss("iou_loss", {"of": "classes"}, places, regions(jaccard), "regions")
try_loss("iou_loss", {"of": "classes", "smooth": 0.1, "skip_first": True}, places, regions(little(jaccard), skip_first=True),
         "less smooth foreground", spread=False)
try_loss("iou_loss", {"of": "binary"}, masks, regions(jaccard, True), "binary", spread=False)


def boxes(*shape):
    corner, size = torch.rand(*shape, 2, dtype=torch.double), torch.rand(*shape, 2, dtype=torch.double) + 0.2
    return exact(torch.cat([corner, corner + size], -1))


pairs = [number(boxes(ROWS, 2)), number(boxes(ROWS, 2))]
try_loss("iou_loss", {}, pairs, lambda p, t: torch.stack([1 - torch.stack([torchvision.ops.box_iou(a[None], b[None])[0, 0] for a, b in
                                                                           zip(p[:, i], t[:, i])]) for i in range(2)], 1), "boxes")
for form, function in (("giou", torchvision.ops.generalized_box_iou_loss), ("diou", torchvision.ops.distance_box_iou_loss),
                       ("ciou", torchvision.ops.complete_box_iou_loss)):
    try_loss("iou_loss", {"form": form}, pairs,
             lambda p, t, function=function: function(p.reshape(-1, 4), t.reshape(-1, 4), reduction="none").reshape(p.shape[:-1]), form)


def ssim(window, sigma, reach=1):
    line = torch.exp(-(torch.arange(window, dtype=torch.double) - window // 2) ** 2 / (2 * sigma ** 2))
    kernel = torch.outer(line, line) / line.sum() ** 2

    def mean(values):
        pieces = values.unfold(2, window, 1).unfold(3, window, 1)
        return (pieces * kernel).sum((-1, -2))

    def oracle(left, right):
        a, b = mean(left), mean(right)
        spread_a, spread_b, both_ = mean(left ** 2) - a ** 2, mean(right ** 2) - b ** 2, mean(left * right) - a * b
        c, d = (0.01 * reach) ** 2, (0.03 * reach) ** 2
        found = ((2 * a * b + c) * (2 * both_ + d)) / ((a ** 2 + b ** 2 + c) * (spread_a + spread_b + d))
        return 1 - found.mean((1, 2, 3))
    return oracle


looks = [number(exact(torch.rand(ROWS, 2, 5, 4))), number(exact(torch.rand(ROWS, 2, 5, 4)))]
try_loss("ssim_loss", {"window": 3, "sigma": 0.8}, looks, ssim(3, 0.8))
try_loss("ssim_loss", {"window": 3, "sigma": 0.8, "range": 2}, looks, ssim(3, 0.8, 2), "range", spread=False)

# Points.
points, other, same = draw(ROWS, 3), draw(ROWS, 3), classes(2)
kinds = classes(3)
kinds[3:] = torch.tensor([0, 1, 0])
named = [number(points), label(kinds, 3)]
told = [number(points), number(other), label(same, 2)]
try_loss("cosine_loss", {}, told[:2], lambda a, b: 1 - functional.cosine_similarity(a, b))
try_loss("cosine_loss", {"margin": 0.1}, told,
         lambda a, b, y: functional.cosine_embedding_loss(a, b, 2 * y - 1, margin=0.1, reduction="none"), "told")
try_loss("triplet_loss", {"margin": 0.5}, [number(points), number(other), number(draw(ROWS, 3))],
         lambda a, p, n: functional.triplet_margin_loss(a, p, n, margin=0.5, reduction="none"), "given")


def triplets(mining, margin=0.7):
    def oracle(p, l):
        distance = (p[:, None] - p[None]).norm(dim=2)
        count = len(l)
        losses, counts = [], []
        for a in range(count):
            near = [i for i in range(count) if l[i] == l[a] and i != a]
            far = [i for i in range(count) if l[i] != l[a]]
            found = []
            if near and far and mining == "hard":
                found = [max(distance[a, i] for i in near) - min(distance[a, i] for i in far)]
            if mining == "all":
                found = [distance[a, i] - distance[a, k] for i in near for k in far]
            if mining == "semi_hard" and far:
                for i in near:
                    farther = [distance[a, k] for k in far if distance[a, k] > distance[a, i]]
                    found.append(distance[a, i] - (min(farther) if farther else max(distance[a, k] for k in far)))
            losses.append(sum((value + margin).clamp_min(0) for value in found) if found else p.sum() * 0)
            counts.append(len(found))
        return torch.stack(losses), torch.tensor(counts)
    return oracle


for mining in ("hard", "semi_hard", "all"):
    try_loss("triplet_loss", {"mining": mining, "margin": 0.7}, named, triplets(mining), mining)


def hadsell(distance, together, margin):
    return torch.where(together, distance ** 2 / 2, (margin - distance).clamp_min(0) ** 2 / 2)


def contrastive_pairs(p, l):
    count = len(l)
    losses = [sum(hadsell((p[a] - p[i]).norm(), l[a] == l[i], 2) for i in range(count) if i != a) for a in range(count)]
    return torch.stack(losses), torch.full((count,), count - 1)


try_loss("contrastive_loss", {"margin": 2}, told, lambda a, b, y: hadsell((a - b).norm(dim=1), y > 0, 2), "told")
try_loss("contrastive_loss", {"margin": 2}, named, contrastive_pairs, "classes")


def nt_xent(a, b):
    views = functional.normalize(torch.cat([a, b]), dim=1)
    count = len(a)
    alike = views @ views.t() / 0.2
    losses = []
    for i in range(2 * count):
        rest = torch.cat([alike[i, :i], alike[i, i + 1:]])
        losses.append(torch.logsumexp(rest, 0) - alike[i, (i + count) % (2 * count)])
    return torch.stack(losses).reshape(2, count).mean(0)


def clip(both_ways):
    def oracle(a, b):
        alike = functional.normalize(a, dim=1) @ functional.normalize(b, dim=1).t() / 0.2
        own = torch.arange(len(a))
        there = functional.cross_entropy(alike, own, reduction="none")
        return (there + functional.cross_entropy(alike.t(), own, reduction="none")) / 2 if both_ways else there
    return oracle


for form, oracle in (("nt_xent", nt_xent), ("one_way", clip(False)), ("both_ways", clip(True))):
    try_loss("info_nce", {"form": form, "temperature": 0.2}, told[:2], oracle, form)


def sup_con(p, l):
    p = functional.normalize(p, dim=1)
    alike = p @ p.t() / 0.3
    losses, counts = [], []
    for i in range(len(l)):
        rest = [k for k in range(len(l)) if k != i]
        fellows = [k for k in rest if l[k] == l[i]]
        everyone = torch.logsumexp(alike[i, rest], 0)
        losses.append(sum(everyone - alike[i, k] for k in fellows) / len(fellows) if fellows else p.sum() * 0)
        counts.append(1 if fellows else 0)
    return torch.stack(losses), torch.tensor(counts)


try_loss("sup_con", {"temperature": 0.3}, named, sup_con)

learned = named + [number(draw(3, 3))]
try_loss("center_loss", {}, learned, lambda p, l, c: ((p - c[l]) ** 2).sum(1) / 2, own=True)


def directions(change):
    def oracle(p, l, w):
        cosine = functional.normalize(p, dim=1) @ functional.normalize(w, dim=1).t()
        is_true = functional.one_hot(l, w.shape[0]).bool()
        return functional.cross_entropy(8 * torch.where(is_true, change(cosine), cosine), l, reduction="none")
    return oracle


def arc(cosine):
    angle = torch.acos(cosine)
    return torch.where(angle + 0.4 < math.pi, torch.cos(angle + 0.4), cosine - 0.4 * math.sin(0.4))


try_loss("arc_face", {"margin": 0.4, "scale": 8}, learned, directions(arc), own=True)
try_loss("cos_face", {"margin": 0.2, "scale": 8}, learned, directions(lambda cosine: cosine - 0.2), own=True)


def proxy_nca(p, l, w):
    distance = 4 * (functional.normalize(p, dim=1)[:, None] - functional.normalize(w, dim=1)[None]).square().sum(2)
    losses = []
    for i in range(len(l)):
        others = [k for k in range(w.shape[0]) if k != l[i]]
        losses.append(-torch.log(torch.exp(-distance[i, l[i]]) / torch.exp(-distance[i, others]).sum()))
    return torch.stack(losses)


try_loss("proxy_nca", {"scale": 2}, learned, proxy_nca, own=True)

# Generation and sequences.
real, made = draw(ROWS, 2), draw(ROWS, 2)
GAN = {"logistic": (lambda r, m: -functional.logsigmoid(r) - functional.logsigmoid(-m), lambda m: -functional.logsigmoid(m)),
       "hinge": (lambda r, m: (1 - r).clamp_min(0) + (1 + m).clamp_min(0), lambda m: -m),
       "least_squares": (lambda r, m: ((r - 1) ** 2 + m ** 2) / 2, lambda m: (m - 1) ** 2 / 2),
       "wasserstein": (lambda r, m: m - r, lambda m: -m)}
for form, (critic, generator) in GAN.items():
    try_loss("gan_loss", {"form": form}, [number(real), number(made)], lambda r, m, critic=critic: critic(r, m).mean(1), form,
             spread=form == "logistic")
    try_loss("gan_loss", {"form": form, "side": "generator"}, [number(made)], lambda m, generator=generator: generator(m).mean(1),
             form + " generator", spread=False)


def gaussian(mean, log_variance):
    standard = torch.distributions.Normal(0.0, 1.0)
    found = torch.distributions.Normal(mean, torch.exp(log_variance / 2))
    return torch.distributions.kl_divergence(found, standard).sum(1)


try_loss("kl_gaussian", {}, [number(points), number(other)], gaussian)

steps, lengths = torch.tensor([7, 6, 7, 5, 7, 7]), torch.tensor([3, 2, 1, 3, 0, 2])
text = torch.randint(1, 4, (ROWS, 3))
text[0] = 2  # needs a blank between each


def ctc(blank, by_length):
    def oracle(s, t, steps_, lengths_):
        losses = functional.ctc_loss(torch.log_softmax(s, 1).permute(2, 0, 1), t, steps_, lengths_, blank, "none", True)
        return losses / lengths_.clamp_min(1) if by_length else losses
    return oracle


read = [number(draw(ROWS, 4, 7)), label(text, 4), label(steps, 9), label(lengths, 9)]
ends = {"input_length": "key2", "target_length": "key3"}
try_loss("ctc_loss", ends, read, ctc(0, True))
try_loss("ctc_loss", {**ends, "by_length": False, "blank": 3}, [read[0], label(text - 1, 4), *read[2:]], ctc(3, False), "by sample")
try_loss("ctc_loss", {"by_length": False}, [number(draw(ROWS, 4, 4)), label(text, 4)],
         lambda s, t: ctc(0, False)(s, t, torch.full((len(t),), 4), torch.full((len(t),), 3)), "impossible")

pathlib.Path(__file__).with_name("losses.json").write_text(
    '{"cases": [\n' + ",\n".join(json.dumps(case) for case in CASES) + "\n]}\n")
