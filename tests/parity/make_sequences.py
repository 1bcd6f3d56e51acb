#!/usr/bin/python3
"""Writes sequences.json: outputs and gradients of PyTorch's layers over sequences, the truth for Hearth's.

Recurrent layers, with packed sequences; attention in all its forms, by the definitions of the papers; PyTorch's
transformer layers; BERT by its definition, with Hugging Face's names; small text models. All in float64.
Run from the root of the project with Python's torch installed: tests/parity/make_sequences.py
"""
import json
import math
import pathlib

import torch
from torch import nn
from torch.nn import functional
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

VOCABULARY = 7


def numbers(tensor, kind="float"):
    values = [float(f"{value:.12g}") if tensor.is_floating_point() else int(value) for value in tensor.detach().flatten()]
    return {"kind": kind, "shape": list(tensor.shape), "values": values}


def short(tensor):
    """Few digits, so that the file stays small."""
    return (tensor * 1000).round() / 1000


def kind_of(value):
    if value.is_floating_point():
        return "float"
    if value.dtype == torch.bool:
        return "mask"
    return "length" if value.dim() == 1 else "tokens"


class Run(nn.Module):
    """A module called in a way of its own; its parameters keep their names."""

    def __init__(self, module, call):
        super().__init__()
        self.inner, self.call = module, call

    def forward(self, *values):
        return self.call(self.inner, *values)

    def named_parameters(self, *arguments, **options):
        return self.inner.named_parameters(*arguments, **options)


def shake(module):
    """Norms and biases start as ones and zeros, which would hide a mistake."""
    with torch.no_grad():
        for tensor in module.parameters():
            tensor.copy_(short(torch.rand_like(tensor) - 0.3 if tensor.dim() == 1 else tensor))
    return module


def case(layer, options, module, *values):
    module = shake(module.double()).train()
    values = [value.requires_grad_(value.is_floating_point()) for value in values]
    outputs = module(*values)
    outputs = list(outputs) if isinstance(outputs, (tuple, list)) else [outputs]
    sum(output.square().sum() for output in outputs).backward()
    parameters = dict(module.named_parameters())
    return {
        "layer": layer,
        "options": options,
        "inputs": [numbers(value, kind_of(value)) for value in values],
        "parameters": {name: numbers(tensor) for name, tensor in parameters.items()},
        "outputs": [numbers(output) for output in outputs],
        "gradients": {name: numbers(tensor.grad) for name, tensor in parameters.items()},
        "input_gradients": [numbers(value.grad) if value.is_floating_point() else None for value in values],
    }


def floats(*shape):
    return short(torch.randn(*shape, dtype=torch.float64))


def tokens(*shape):
    return torch.randint(VOCABULARY, shape)


def mask_of(lengths, longest):
    return torch.arange(longest) < torch.tensor(lengths).unsqueeze(1)


def recurrent(names, lengths=None):
    """Calls PyTorch's recurrent module; the batch comes first in states, too."""
    def call(module, sequence, *further):
        states = [value.transpose(0, 1).contiguous() for value in further if value.is_floating_point()]
        first = None if not states else states[0] if len(states) == 1 else tuple(states)
        if lengths is not None:
            packed = pack_padded_sequence(sequence, torch.tensor(lengths), batch_first=True, enforce_sorted=False)
            output, last = module(packed, first)
            output, _ = pad_packed_sequence(output, batch_first=True, total_length=sequence.shape[1])
        else:
            output, last = module(sequence, first)
        hidden, cell = last if isinstance(last, tuple) else (last, None)
        end = torch.cat([hidden[-2], hidden[-1]], 1) if module.bidirectional else hidden[-1]
        known = {"sequence": output, "last": end, "state": hidden.transpose(0, 1)}
        if cell is not None:
            known["cell"] = cell.transpose(0, 1)
        return [known[name] for name in names]
    return call


def recurrent_case(layer, module, options, names, *values, lengths=None):
    return case(layer, {**options, "output": names}, Run(module, recurrent(names, lengths)), *values)


def recurrent_cases():
    rows, lengths = (3, 5, 4), [3, 5, 1]
    mask, length = mask_of(lengths, 5), torch.tensor(lengths)
    one = {"hidden_size": 3}
    deep = {"hidden_size": 3, "num_layers": 2, "bidirectional": True}

    def made(kind, options):
        return kind(4, batch_first=True, **options)

    yield recurrent_case("rnn", made(nn.RNN, one), one, ["sequence", "last"], floats(*rows))
    relu = {**deep, "nonlinearity": "relu"}
    yield recurrent_case("rnn", made(nn.RNN, relu), relu, ["sequence", "state"], floats(*rows), mask, lengths=lengths)
    yield recurrent_case("lstm", made(nn.LSTM, one), one, ["sequence"], floats(*rows))
    everything = ["sequence", "last", "state", "cell"]
    yield recurrent_case("lstm", made(nn.LSTM, deep), deep, everything, floats(*rows), floats(3, 4, 3), floats(3, 4, 3))
    yield recurrent_case("lstm", made(nn.LSTM, deep), deep, everything, floats(*rows), mask, floats(3, 4, 3), floats(3, 4, 3),
                         lengths=lengths)
    wide = {"hidden_size": 9, "bias": False}
    yield recurrent_case("lstm", made(nn.LSTM, wide), wide, ["last"], floats(*rows), length, lengths=lengths)
    yield recurrent_case("gru", made(nn.GRU, one), one, ["last"], floats(*rows))
    yield recurrent_case("gru", made(nn.GRU, deep), deep, ["sequence", "last", "state"], floats(*rows), mask, floats(3, 4, 3),
                         lengths=lengths)
    yield recurrent_case("gru", made(nn.GRU, wide), wide, ["sequence"], floats(*rows))


class Attention(nn.Module):
    """Attention by its definition, head by head and place by place."""

    def __init__(self, width, heads, key_value_heads=None, seen=None, bias=True, causal=False, window=None, rotary=False,
                 alibi=False, cross=False):
        super().__init__()
        self.heads, self.groups = heads, key_value_heads or heads
        self.causal, self.window, self.rotary, self.alibi, self.cross = causal, window, rotary, alibi, cross
        pair = width // heads * self.groups
        self.q_proj = nn.Linear(width, width, bias)
        self.k_proj = nn.Linear(seen or width, pair, bias)
        self.v_proj = nn.Linear(seen or width, pair, bias)
        self.out_proj = nn.Linear(width, width, bias)

    def turned(self, value):
        """RoPE: the pair of coordinates i and i + half turned by place * 10000^(-2 i / size)."""
        if not self.rotary:
            return value
        size = value.shape[-1]
        half = size // 2
        result = torch.empty_like(value)
        for place in range(value.shape[2]):
            for i in range(half):
                angle = place * 10000 ** (-2 * i / size)
                x, y = value[:, :, place, i], value[:, :, place, i + half]
                result[:, :, place, i] = x * math.cos(angle) - y * math.sin(angle)
                result[:, :, place, i + half] = y * math.cos(angle) + x * math.sin(angle)
        return result

    def slopes(self):
        def of_power(count):
            return [2 ** (-8 * (i + 1) / count) for i in range(count)]
        whole = 2 ** int(math.log2(self.heads))
        return of_power(whole) + of_power(2 * whole)[::2][:self.heads - whole]

    def forward(self, value, *further):
        further = list(further)
        seen = further.pop(0) if self.cross else value
        def split(rows, heads):
            return rows.unflatten(2, (heads, -1)).transpose(1, 2)
        queries = self.turned(split(self.q_proj(value), self.heads))
        keys = self.turned(split(self.k_proj(seen), self.groups)).repeat_interleave(self.heads // self.groups, 1)
        values = split(self.v_proj(seen), self.groups).repeat_interleave(self.heads // self.groups, 1)
        scores = queries @ keys.transpose(2, 3) / math.sqrt(queries.shape[-1])
        apart = torch.arange(value.shape[1]).unsqueeze(1) - torch.arange(seen.shape[1])
        if self.alibi:
            scores = scores - torch.tensor(self.slopes(), dtype=torch.float64).view(-1, 1, 1) * apart.abs()
        hidden = torch.zeros_like(apart, dtype=torch.bool)
        if self.causal:
            hidden = hidden | (apart < 0)
        if self.window:
            hidden = hidden | (apart.abs() >= self.window)
        scores = scores.masked_fill(hidden, -math.inf)
        for extra in further:
            if extra.dtype == torch.bool:
                scores = scores.masked_fill(~extra[:, None, None], -math.inf)
            else:
                scores = scores + extra.unsqueeze(1)
        return self.out_proj((scores.softmax(-1) @ values).transpose(1, 2).flatten(2))


def attention_case(options, *values, width=8, seen=None):
    return case("attention", options, Attention(width, seen=seen, **options), *values)


def attention_cases():
    rows = (2, 5, 8)
    mask = mask_of([5, 3], 5)
    yield attention_case({"heads": 2}, floats(*rows))
    yield attention_case({"heads": 2, "causal": True, "bias": False}, floats(*rows), mask)
    yield attention_case({"heads": 4, "key_value_heads": 2, "rotary": True, "causal": True}, floats(*rows))
    yield attention_case({"heads": 3, "alibi": True, "window": 3}, floats(2, 5, 6), width=6)
    yield attention_case({"heads": 4, "alibi": True, "causal": True}, floats(*rows), floats(2, 5, 5), mask)
    yield attention_case({"heads": 2, "cross": True}, floats(2, 3, 8), floats(2, 5, 6), mask, floats(2, 3, 5), seen=6)
    yield attention_case({"heads": 2, "cross": True}, floats(2, 6, 8), floats(2, 5, 4), mask, seen=4)


def hidden(mask):
    return None if mask is None else ~mask


def encoder_call(module, value, mask=None):
    return module(value, src_key_padding_mask=hidden(mask))


def decoder_call(module, value, memory, memory_mask=None, mask=None):
    causal = torch.ones(value.shape[1], value.shape[1], dtype=torch.bool).triu(1)
    return module(value, memory, tgt_mask=causal, tgt_key_padding_mask=hidden(mask),
                  memory_key_padding_mask=hidden(memory_mask))


class Transformer(nn.Module):
    """PyTorch's transformer between embeddings with sines and cosines, and a head."""

    def __init__(self, width, **options):
        super().__init__()
        self.source_embedding = nn.Embedding(VOCABULARY, width)
        inner = nn.Transformer(width, batch_first=True, dropout=0, **options)
        self.encoder, self.target_embedding, self.decoder = inner.encoder, nn.Embedding(VOCABULARY, width), inner.decoder
        self.head = nn.Linear(width, VOCABULARY)

    @staticmethod
    def placed(value):
        places = torch.arange(value.shape[1], dtype=torch.float64).unsqueeze(1)
        speeds = 10000 ** (-torch.arange(0, value.shape[2], 2, dtype=torch.float64) / value.shape[2])
        return value + torch.stack([(places * speeds).sin(), (places * speeds).cos()], 2).flatten(1)

    def forward(self, source, target, source_mask=None, target_mask=None):
        memory = self.encoder(self.placed(self.source_embedding(source)), src_key_padding_mask=hidden(source_mask))
        value = decoder_call(self.decoder, self.placed(self.target_embedding(target)), memory, source_mask, target_mask)
        return self.head(value).transpose(1, 2)


def transformer_cases():
    options = {"heads": 2, "dim_feedforward": 6, "dropout": 0.0}
    sizes = {"d_model": 4, "nhead": 2, "dim_feedforward": 6, "dropout": 0.0, "batch_first": True}
    mask, other = mask_of([5, 3], 5), mask_of([3, 2], 3)
    for more, python in (({}, {}), ({"norm_first": True, "activation": "gelu", "layer_norm_eps": 1e-3},
                                    {"norm_first": True, "activation": "gelu", "layer_norm_eps": 1e-3})):
        yield case("transformer_encoder_block", {**options, **more},
                   Run(nn.TransformerEncoderLayer(**sizes, **python), encoder_call), floats(2, 5, 4), mask)
        yield case("transformer_decoder_block", {**options, **more},
                   Run(nn.TransformerDecoderLayer(**sizes, **python), decoder_call), floats(2, 3, 4), floats(2, 5, 4), mask, other)
    yield case("transformer_encoder_block", options, Run(nn.TransformerEncoderLayer(**sizes), encoder_call), floats(2, 5, 4))
    yield case("transformer_decoder_block", options, Run(nn.TransformerDecoderLayer(**sizes), decoder_call), floats(2, 3, 4),
               floats(2, 5, 4))
    whole = {"width": 4, "heads": 2, "encoder_layers": 2, "decoder_layers": 1, "dim_feedforward": 6, "dropout": 0.0}
    yield case("transformer", whole,
               Transformer(4, nhead=2, num_encoder_layers=2, num_decoder_layers=1, dim_feedforward=6),
               tokens(2, 5), tokens(2, 3), mask, other)


class BertLayer(nn.Module):
    def __init__(self, width, heads, hidden_size):
        super().__init__()
        self.heads = heads
        self.attention = nn.ModuleDict({
            "self": nn.ModuleDict({name: nn.Linear(width, width) for name in ("query", "key", "value")}),
            "output": nn.ModuleDict({"dense": nn.Linear(width, width), "LayerNorm": nn.LayerNorm(width, 1e-12)})})
        self.intermediate = nn.ModuleDict({"dense": nn.Linear(width, hidden_size)})
        self.output = nn.ModuleDict({"dense": nn.Linear(hidden_size, width), "LayerNorm": nn.LayerNorm(width, 1e-12)})

    def forward(self, value, mask):
        own = self.attention["self"]
        queries, keys, values = (own[name](value).unflatten(2, (self.heads, -1)).transpose(1, 2)
                                 for name in ("query", "key", "value"))
        scores = queries @ keys.transpose(2, 3) / math.sqrt(queries.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(~mask[:, None, None], -math.inf)
        seen = (scores.softmax(-1) @ values).transpose(1, 2).flatten(2)
        end = self.attention["output"]
        value = end["LayerNorm"](end["dense"](seen) + value)
        wide = functional.gelu(self.intermediate["dense"](value))
        return self.output["LayerNorm"](self.output["dense"](wide) + value)


class Bert(nn.Module):
    """Devlin et al., 2018: BERT without dropout; outputs by name."""

    def __init__(self, layers, width, heads, hidden_size, length, outputs):
        super().__init__()
        self.outputs = outputs
        self.embeddings = nn.ModuleDict({"word_embeddings": nn.Embedding(VOCABULARY, width),
                                         "position_embeddings": nn.Embedding(length, width),
                                         "token_type_embeddings": nn.Embedding(2, width),
                                         "LayerNorm": nn.LayerNorm(width, 1e-12)})
        self.encoder = nn.ModuleDict({"layer": nn.ModuleList(BertLayer(width, heads, hidden_size) for _ in range(layers))})
        if "pooled" in outputs:
            self.pooler = nn.ModuleDict({"dense": nn.Linear(width, width)})
        if "scores" in outputs:
            transform = nn.ModuleDict({"dense": nn.Linear(width, width), "LayerNorm": nn.LayerNorm(width, 1e-12)})
            predictions = nn.Module()
            predictions.transform = transform
            predictions.bias = nn.Parameter(torch.zeros(VOCABULARY))
            self.cls = nn.ModuleDict({"predictions": predictions})

    def forward(self, words, mask=None, types=None):
        rows = self.embeddings
        types = torch.zeros_like(words) if types is None else types
        value = rows["word_embeddings"](words) + rows["token_type_embeddings"](types)
        value = rows["LayerNorm"](value + rows["position_embeddings"](torch.arange(words.shape[1])))
        for layer in self.encoder["layer"]:
            value = layer(value, mask)
        known = {"sequence": lambda: value, "pooled": lambda: torch.tanh(self.pooler["dense"](value[:, 0])),
                 "scores": lambda: self.scores(value)}
        return [known[name]() for name in self.outputs]

    def scores(self, value):
        head = self.cls["predictions"]
        value = head.transform["LayerNorm"](functional.gelu(head.transform["dense"](value)))
        return functional.linear(value, self.embeddings["word_embeddings"].weight, head.bias).transpose(1, 2)


def bert_cases():
    sizes = {"layers": 2, "width": 4, "heads": 2, "hidden": 6, "length": 6, "dropout": 0.0}
    for names, values in ((["sequence"], [tokens(2, 5)]),
                          (["scores", "pooled", "sequence"], [tokens(2, 5), mask_of([5, 2], 5), torch.randint(2, (2, 5))]),
                          (["pooled"], [tokens(2, 4), mask_of([4, 3], 4)])):
        yield case("bert", {**sizes, "output": names}, Bert(2, 4, 2, 6, 6, names), *values)


class TextCnn(nn.Module):
    def __init__(self, width, kernels, channels, classes):
        super().__init__()
        self.embedding = nn.Embedding(VOCABULARY, width)
        self.convs = nn.ModuleList(nn.Conv1d(width, channels, kernel) for kernel in kernels)
        self.fc = nn.Linear(channels * len(kernels), classes)

    def forward(self, words):
        value = self.embedding(words).transpose(1, 2)
        return self.fc(torch.cat([functional.relu(conv(value)).amax(2) for conv in self.convs], 1))


class LstmTagger(nn.Module):
    def __init__(self, width, hidden_size, classes, lengths):
        super().__init__()
        self.lengths = lengths
        self.embedding = nn.Embedding(VOCABULARY, width)
        self.lstm = nn.LSTM(width, hidden_size, 2, batch_first=True, bidirectional=True)
        self.hidden2tag = nn.Linear(2 * hidden_size, classes)

    def forward(self, words, *_):
        value, = recurrent(["sequence"], self.lengths)(self.lstm, self.embedding(words))
        return self.hidden2tag(value).transpose(1, 2)


class TemporalBlock(nn.Module):
    def __init__(self, channels_in, channels, kernel, dilation):
        super().__init__()
        self.reach = (kernel - 1) * dilation
        self.conv1 = nn.Conv1d(channels_in, channels, kernel, dilation=dilation)
        self.conv2 = nn.Conv1d(channels, channels, kernel, dilation=dilation)
        self.downsample = nn.Conv1d(channels_in, channels, 1) if channels_in != channels else None

    def forward(self, value):
        inner = value
        for conv in (self.conv1, self.conv2):
            inner = functional.relu(conv(functional.pad(inner, (self.reach, 0))))
        return functional.relu(inner + (value if self.downsample is None else self.downsample(value)))


class TemporalCnn(nn.Module):
    def __init__(self, width, channels, kernel, classes, is_last):
        super().__init__()
        self.is_last = is_last
        sizes = [width, *channels]
        self.network = nn.Sequential(*(TemporalBlock(sizes[i], sizes[i + 1], kernel, 2 ** i) for i in range(len(channels))))
        self.linear = nn.Linear(channels[-1], classes)

    def forward(self, value):
        rows = self.network(value.transpose(1, 2)).transpose(1, 2)
        return self.linear(rows[:, -1]) if self.is_last else self.linear(rows).transpose(1, 2)


def model_cases():
    yield case("text_cnn", {"embedding_size": 4, "kernel_sizes": [2, 3], "channels": 3, "dropout": 0.0, "classes": 3},
               TextCnn(4, [2, 3], 3, 3), tokens(2, 6))
    lengths = [5, 2, 3]
    tagger = {"embedding_size": 4, "hidden_size": 3, "num_layers": 2, "dropout": 0.0, "classes": 3}
    yield case("lstm_tagger", tagger, LstmTagger(4, 3, 3, None), tokens(3, 5))
    yield case("lstm_tagger", tagger, LstmTagger(4, 3, 3, lengths), tokens(3, 5), mask_of(lengths, 5))
    for output in ("last", "sequence"):
        yield case("temporal_cnn", {"channels": [3, 3, 4], "kernel_size": 2, "dropout": 0.0, "output": output, "classes": 3},
                   TemporalCnn(2, [3, 3, 4], 2, 3, output == "last"), floats(2, 7, 2))


def main():
    torch.manual_seed(3)
    cases = [*recurrent_cases(), *attention_cases(), *transformer_cases(), *bert_cases(), *model_cases()]
    content = {"torch": torch.__version__, "vocabulary": VOCABULARY, "cases": cases}
    path = pathlib.Path(__file__).with_name("sequences.json")
    path.write_text(json.dumps(content, separators=(",", ":")) + "\n")


main()
