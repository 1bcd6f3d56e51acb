"""The networks of the benchmarks in plain PyTorch, written as its users write them."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
import torchvision
from torchvision.models.resnet import BasicBlock
from torchvision.models.vision_transformer import VisionTransformer


class Mlp(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(784, 128)
        self.output = nn.Linear(128, 10)

    def forward(self, x):
        return self.output(F.relu(self.hidden(x.flatten(1))))


class LeNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 20, 5)
        self.conv2 = nn.Conv2d(20, 50, 5)
        self.fc1 = nn.Linear(800, 500)
        self.fc2 = nn.Linear(500, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        x = F.relu(self.fc1(torch.flatten(x, 1)))
        return self.fc2(x)


class ResNet20(nn.Module):
    """For 32x32 images: three stages of three blocks, 1x1 convolutions where the shape changes."""

    def __init__(self, classes=10):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 16, 3, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(16)
        self.relu = nn.ReLU(inplace=True)
        self.layers = nn.Sequential(self.stage(16, 16, 1), self.stage(16, 32, 2), self.stage(32, 64, 2))
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.fc = nn.Linear(64, classes)

    @staticmethod
    def stage(channels, out, stride):
        around = None
        if stride != 1 or channels != out:
            around = nn.Sequential(nn.Conv2d(channels, out, 1, stride, bias=False), nn.BatchNorm2d(out))
        return nn.Sequential(BasicBlock(channels, out, stride, around), BasicBlock(out, out), BasicBlock(out, out))

    def forward(self, x):
        x = self.relu(self.bn1(self.conv1(x)))
        x = self.avgpool(self.layers(x))
        return self.fc(torch.flatten(x, 1))


class Attention(nn.Module):
    def __init__(self, width, heads, length):
        super().__init__()
        self.heads = heads
        self.c_attn = nn.Linear(width, 3 * width)
        self.c_proj = nn.Linear(width, width)
        self.register_buffer("mask", torch.tril(torch.ones(length, length)).view(1, 1, length, length))

    def forward(self, x):
        batch, length, width = x.shape
        split = (batch, length, self.heads, width // self.heads)
        q, k, v = (part.view(split).transpose(1, 2) for part in self.c_attn(x).split(width, dim=2))
        scores = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        scores = scores.masked_fill(self.mask[:, :, :length, :length] == 0, float("-inf"))
        mixed = F.softmax(scores, dim=-1) @ v
        return self.c_proj(mixed.transpose(1, 2).contiguous().view(batch, length, width))


class Block(nn.Module):
    def __init__(self, width, heads, length):
        super().__init__()
        self.ln_1 = nn.LayerNorm(width)
        self.attn = Attention(width, heads, length)
        self.ln_2 = nn.LayerNorm(width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x):
        x = x + self.attn(self.ln_1(x))
        return x + self.mlp(self.ln_2(x))


class Gpt(nn.Module):
    def __init__(self, layers=4, width=128, heads=4, length=128, vocabulary=65):
        super().__init__()
        self.wte = nn.Embedding(vocabulary, width)
        self.wpe = nn.Embedding(length, width)
        self.h = nn.ModuleList([Block(width, heads, length) for _ in range(layers)])
        self.ln_f = nn.LayerNorm(width)
        self.lm_head = nn.Linear(width, vocabulary, bias=False)

    def forward(self, tokens):
        x = self.wte(tokens) + self.wpe(torch.arange(tokens.size(1)))
        for block in self.h:
            x = block(x)
        return self.lm_head(self.ln_f(x))


def resnet18():
    return torchvision.models.resnet18(num_classes=200)


def mobilenet():
    return torchvision.models.mobilenet_v2(num_classes=200)


def vit():
    return VisionTransformer(image_size=64, patch_size=8, num_layers=12, num_heads=3, hidden_dim=192, mlp_dim=768,
                             num_classes=200)


def convnext():
    return torchvision.models.convnext_tiny(num_classes=200)


class Lstm(nn.Module):
    def __init__(self, words=1000, width=128, hidden=256, classes=4):
        super().__init__()
        self.embedding = nn.Embedding(words, width)
        self.lstm = nn.LSTM(width, hidden, batch_first=True)
        self.output = nn.Linear(hidden, classes)

    def forward(self, tokens):
        _, (last, _) = self.lstm(self.embedding(tokens))
        return self.output(last[-1])


class Unet(nn.Module):
    """Stages that halve the size, and as many that double it beside what was there before."""

    def __init__(self, depth=3, width=16, classes=4):
        super().__init__()
        self.first = self.twice(3, width)
        self.down = nn.ModuleList([self.twice(width << i, width << (i + 1)) for i in range(depth)])
        self.grow = nn.ModuleList([nn.ConvTranspose2d(width << (i + 1), width << i, 2, 2) for i in reversed(range(depth))])
        self.up = nn.ModuleList([self.twice(width << (i + 1), width << i) for i in reversed(range(depth))])
        self.scores = nn.Conv2d(width, classes, 1)

    @staticmethod
    def twice(channels, out):
        return nn.Sequential(
            nn.Conv2d(channels, out, 3, padding=1, bias=False), nn.BatchNorm2d(out), nn.ReLU(inplace=True),
            nn.Conv2d(out, out, 3, padding=1, bias=False), nn.BatchNorm2d(out), nn.ReLU(inplace=True))

    def forward(self, x):
        seen = [self.first(x)]
        for stage in self.down:
            seen.append(stage(F.max_pool2d(seen[-1], 2)))
        x = seen.pop()
        for grow, stage in zip(self.grow, self.up):
            x = stage(torch.cat([seen.pop(), grow(x)], dim=1))
        return self.scores(x)


class BertAttention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value = nn.Linear(width, width), nn.Linear(width, width), nn.Linear(width, width)
        self.dropout = nn.Dropout(0.1)

    def forward(self, x):
        batch, length, width = x.shape
        split = (batch, length, self.heads, width // self.heads)
        q, k, v = (part(x).view(split).transpose(1, 2) for part in (self.query, self.key, self.value))
        scores = q @ k.transpose(-2, -1) / math.sqrt(k.size(-1))
        mixed = self.dropout(F.softmax(scores, dim=-1)) @ v
        return mixed.transpose(1, 2).reshape(batch, length, width)


class BertBlock(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.attention = BertAttention(width, heads)
        self.output = nn.Linear(width, width)
        self.norm1 = nn.LayerNorm(width, eps=1e-12)
        self.hidden = nn.Linear(width, 4 * width)
        self.back = nn.Linear(4 * width, width)
        self.norm2 = nn.LayerNorm(width, eps=1e-12)
        self.dropout = nn.Dropout(0.1)

    def forward(self, x):
        x = self.norm1(self.dropout(self.output(self.attention(x))) + x)
        return self.norm2(self.dropout(self.back(F.gelu(self.hidden(x)))) + x)


class Bert(nn.Module):
    def __init__(self, layers=4, width=256, heads=4, length=128, words=1000, classes=4):
        super().__init__()
        self.word, self.position, self.segment = (nn.Embedding(count, width) for count in (words, length, 2))
        self.norm = nn.LayerNorm(width, eps=1e-12)
        self.dropout = nn.Dropout(0.1)
        self.layers = nn.ModuleList([BertBlock(width, heads) for _ in range(layers)])
        self.pool = nn.Linear(width, width)
        self.output = nn.Linear(width, classes)

    def forward(self, tokens):
        x = self.word(tokens) + self.position(torch.arange(tokens.size(1))) + self.segment(torch.zeros_like(tokens))
        x = self.dropout(self.norm(x))
        for layer in self.layers:
            x = layer(x)
        return self.output(torch.tanh(self.pool(x[:, 0])))
