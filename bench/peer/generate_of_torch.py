"""The time of a token while texts are continued in PyTorch, with a cache of keys and values:
generate_of_torch.py LAYERS WIDTH HEADS LENGTH BATCH THREADS [SECONDS]

The twin of bench/generation/generate_of.cpp: the same network, prompts, greedy choice and line of JSON.
"""
import json
import math
import statistics
import sys
import time

import networks
import torch
import torch.nn.functional as F
from step_of_torch import loaded_blas

PROMPT_TOKENS = 8
LETTERS = 65


class CachedAttention(networks.Attention):
    def forward(self, x, past):
        batch, length, width = x.shape
        split = (batch, length, self.heads, width // self.heads)
        q, k, v = (part.view(split).transpose(1, 2) for part in self.c_attn(x).split(width, dim=2))
        if past is not None:
            k, v = torch.cat((past[0], k), dim=2), torch.cat((past[1], v), dim=2)
        scores = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        if length > 1:
            scores = scores.masked_fill(self.mask[:, :, :length, :length] == 0, float("-inf"))
        mixed = F.softmax(scores, dim=-1) @ v
        return self.c_proj(mixed.transpose(1, 2).contiguous().view(batch, length, width)), (k, v)


class CachedGpt(networks.Gpt):
    def __init__(self, layers, width, heads, length):
        super().__init__(layers, width, heads, length, LETTERS)
        for block in self.h:
            block.attn = CachedAttention(width, heads, length)

    def forward(self, tokens, place, past):
        """Scores after the last token, and what the next call needs."""
        x = self.wte(tokens) + self.wpe(torch.arange(place, place + tokens.size(1)))
        kept = []
        for block, own in zip(self.h, past or [None] * len(self.h)):
            seen, own = block.attn(block.ln_1(x), own)
            kept.append(own)
            x = x + seen
            x = x + block.mlp(block.ln_2(x))
        return self.lm_head(self.ln_f(x[:, -1:]))[:, -1], kept


@torch.inference_mode()
def generate(model, prompts, count):
    place, past, tokens, made = 0, None, prompts, []
    for _ in range(count):
        scores, past = model(tokens, place, past)
        place += tokens.size(1)
        tokens = scores.argmax(dim=1, keepdim=True)
        made.append(tokens)
    return torch.cat(made, dim=1)


def timed(model, prompts, count, seconds):
    """Milliseconds for a token of every text."""
    times, began = [], time.perf_counter()
    while time.perf_counter() - began < seconds or len(times) < 3:
        start = time.perf_counter()
        generate(model, prompts, count)
        times.append((time.perf_counter() - start) * 1e3 / count)
    return times


def main():
    layers, width, heads, length, batch, threads = map(int, sys.argv[1:7])
    seconds = float(sys.argv[7]) if len(sys.argv) > 7 else 2
    torch.set_num_threads(threads)
    torch.manual_seed(0)
    model = CachedGpt(layers, width, heads, length).eval()
    prompts = torch.tensor([[(b * 11 + i * 5) % LETTERS for i in range(PROMPT_TOKENS)] for b in range(batch)])
    timed(model, prompts, length - PROMPT_TOKENS, 0.5)
    times = timed(model, prompts, length - PROMPT_TOKENS, seconds)
    print(json.dumps({"median": statistics.median(times), "least": min(times), "rounds": len(times), "blas": loaded_blas(),
                      "parameters": sum(p.numel() for p in model.parameters())}))


if __name__ == "__main__":
    main()
