"""Writes tests/parity/sound.json, tests/corpus/wav and examples/sounds, with the standard library only. Spectra are sums
over sines, bands and filters the published formulas of torchaudio's melscale_fbanks and resample, all in double."""
import cmath
import json
import math
import pathlib
import random
import struct

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
draw = random.Random(7)


def wav(samples, rate=8000, bits=16, kind=1, extensible=False, extra=b""):
    """Rows of channels, from -1 to 1."""
    channels = len(samples[0])
    data = b""
    for row in samples:
        for value in row:
            if kind == 3:
                data += struct.pack("<f" if bits == 32 else "<d", value)
            elif bits == 8:
                data += bytes([max(0, min(255, round(value * 128) + 128))])
            else:
                most = 1 << bits - 1
                data += (max(-most, min(most - 1, round(value * most))) & (1 << bits) - 1).to_bytes(bits // 8, "little")
    head = struct.pack("<HHIIHH", 0xFFFE if extensible else kind, channels, rate, rate * channels * bits // 8,
                       channels * bits // 8, bits)
    if extensible:
        head += struct.pack("<HHIH", 22, bits, 3, kind) + b"\0\0\0\0\x10\0\x80\0\0\xaa\0\x38\x9b\x71"
    chunks = b"fmt " + struct.pack("<I", len(head)) + head + extra + b"data" + struct.pack("<I", len(data)) + data
    return b"RIFF" + struct.pack("<I", len(chunks) + 4) + b"WAVE" + chunks


def rounded(samples, bits, kind):
    if kind == 3:
        return [sum(row) / len(row) for row in samples]
    most = 1 << bits - 1
    return [sum(max(-most, min(most - 1, round(value * most))) / most for value in row) / len(row) for row in samples]


forms = {"mono_8.wav": (1, 8, 1, False), "mono_16.wav": (1, 16, 1, False), "stereo_16.wav": (2, 16, 1, False),
         "stereo_24.wav": (2, 24, 1, True), "mono_32.wav": (1, 32, 1, False), "mono_float.wav": (1, 32, 3, False),
         "stereo_double.wav": (2, 64, 3, True)}
stored = {"wav": {}}
folder = ROOT / "tests/corpus/wav"
folder.mkdir(parents=True, exist_ok=True)
for name, (channels, bits, kind, extensible) in forms.items():
    samples = [[draw.uniform(-1, 1) for _ in range(channels)] for _ in range(9)]
    extra = b"LIST" + struct.pack("<I", 5) + b"hello\0" if bits == 24 else b""
    (folder / name).write_bytes(wav(samples, bits=bits, kind=kind, extensible=extensible, extra=extra))
    stored["wav"][name] = {"samples": rounded(samples, bits, kind)}

stored["fft"] = []
for length in (1, 2, 3, 4, 6, 8, 13, 30, 49, 60, 64, 100):
    values = [round(draw.uniform(-1, 1), 4) for _ in range(length)]
    found = [sum(value * cmath.exp(-2j * math.pi * k * t / length) for t, value in enumerate(values))
             for k in range(length // 2 + 1)]
    stored["fft"].append({"values": values, "real": [z.real for z in found], "imaginary": [z.imag for z in found]})


def spectrogram(sound, size, hop, center):
    if center:
        half = size // 2
        sound = sound[half:0:-1] + sound + sound[-2:-half - 2:-1]
    window = [0.5 - 0.5 * math.cos(2 * math.pi * i / size) for i in range(size)]
    rows = []
    for begin in range(0, len(sound) - size + 1, hop):
        frame = [sound[begin + i] * window[i] for i in range(size)]
        rows.append([abs(sum(v * cmath.exp(-2j * math.pi * k * t / size) for t, v in enumerate(frame))) ** 2
                     for k in range(size // 2 + 1)])
    return rows


def mel_scale(hertz, scale):
    if scale == "htk":
        return 2595 * math.log10(1 + hertz / 700)
    return hertz / (200 / 3) if hertz < 1000 else 15 + math.log(hertz / 1000) / (math.log(6.4) / 27)


def hertz_scale(mel, scale):
    if scale == "htk":
        return 700 * (10 ** (mel / 2595) - 1)
    return mel * 200 / 3 if mel < 15 else 1000 * math.exp(math.log(6.4) / 27 * (mel - 15))


def mel_weights(bins, bands, rate, low, high, scale, normalized):
    first, last = mel_scale(low, scale), mel_scale(high, scale)
    points = [hertz_scale(first + (last - first) * i / (bands + 1), scale) for i in range(bands + 2)]
    rows = []
    for left, middle, right in zip(points, points[1:], points[2:]):
        area = 2 / (right - left) if normalized else 1
        rows.append([area * max(0, min((f - left) / (middle - left), (right - f) / (right - middle)))
                     for f in (rate / 2 * k / (bins - 1) for k in range(bins))])
    return rows


sound = [round(0.5 * math.sin(0.3 * t) + draw.uniform(-0.3, 0.3), 4) for t in range(150)]
stored["sound"] = sound
stored["spectrogram"] = [{"size": size, "hop": hop, "center": center, "rows": spectrogram(sound, size, hop, center)}
                         for size, hop, center in ((40, 16, True), (32, 10, False), (30, 30, True))]
stored["mel"] = []
for bands, low, high, scale, normalized in ((8, 0, 4000, "htk", False), (10, 50, 3500, "slaney", True)):
    weights = mel_weights(33, bands, 8000, low, high, scale, normalized)
    rows = [[sum(w * v for w, v in zip(band, row)) for band in weights] for row in spectrogram(sound, 64, 32, True)]
    stored["mel"].append({"bands": bands, "lowest": low, "highest": high, "scale": scale, "normalized": normalized,
                          "rows": rows})


def resample(sound, old, new, crossings=6, rolloff=0.99):
    common = math.gcd(old, new)
    old, new = old // common, new // common
    base = min(old, new) * rolloff
    width = math.ceil(crossings * old / base)
    padded = [0.0] * width + sound + [0.0] * (width + old)
    out = []
    for begin in range(0, len(padded) - 2 * width - old + 1, old):
        for phase in range(new):
            total = 0
            for i in range(2 * width + old):
                t = max(-crossings, min(crossings, ((i - width) / old - phase / new) * base))
                window = math.cos(t * math.pi / crossings / 2) ** 2
                sinc = 1 if t == 0 else math.sin(t * math.pi) / (t * math.pi)
                total += padded[begin + i] * sinc * window * base / old
            out.append(total)
    return out[:math.ceil(new * len(sound) / old)]


stored["resample"] = [{"from": old, "to": new, "values": resample(sound, old, new)}
                      for old, new in ((8000, 6000), (8000, 11025), (8000, 8000), (8000, 16000))]


def short(value):
    if isinstance(value, float):
        return float(f"{value:.7g}")
    if isinstance(value, list):
        return [short(item) for item in value]
    return {key: short(item) for key, item in value.items()} if isinstance(value, dict) else value


(ROOT / "tests/parity/sound.json").write_text(json.dumps(short(stored)) + "\n")

# Short tones that rise, fall or stay, in noise: for examples/sound.yaml.
for part, count in (("train", 14), ("eval", 6)):
    for name, bend in (("falling", -1), ("rising", 1), ("steady", 0)):
        for number in range(count):
            base, length, phase = draw.uniform(900, 2200), draw.randrange(560, 641), 0.0
            samples = []
            for t in range(length):
                phase += 2 * math.pi * base * 2 ** (bend * (t / length - 0.5)) / 8000
                samples.append([0.5 * math.sin(phase) + draw.gauss(0, 0.05)])
            file = ROOT / f"examples/sounds/{part}/{name}/{number:02}.wav"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(wav(samples))
