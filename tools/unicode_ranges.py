"""Writes hearth/data/unicode_ranges.h: the letters, marks and numbers of Unicode, as Python's unicodedata knows them."""
import pathlib
import sys
import unicodedata


def ranges(letter):
    found = []
    for code in range(sys.maxunicode + 1):
        if unicodedata.category(chr(code))[0] != letter:
            continue
        if found and found[-1][1] == code - 1:
            found[-1][1] = code
        else:
            found.append([code, code])
    return found


def table(name, pairs):
    text = f"inline constexpr UnicodeRange {name}[] = {{\n"
    line = "   "
    for first, last in pairs:
        piece = f" {{0x{first:X}, 0x{last:X}}},"
        if len(line) + len(piece) > 100:
            text += line + "\n"
            line = "   "
        line += piece
    return text + line.rstrip(",") + "};\n"


HEAD = f"""// Unicode {unicodedata.unidata_version}: letters (categories L*), marks (M*), numbers (N*). Written by tools/unicode_ranges.py.
#pragma once

#include <cstdint>

namespace hearth {{

struct UnicodeRange {{
  uint32_t first = 0;
  uint32_t last = 0;
}};

// clang-format off
"""

target = pathlib.Path(__file__).resolve().parent.parent / "hearth/data/unicode_ranges.h"
target.write_text(HEAD + table("kLetterRanges", ranges("L")) + "\n"
                  + table("kMarkRanges", ranges("M")) + "\n" + table("kNumberRanges", ranges("N"))
                  + "// clang-format on\n\n}  // namespace hearth\n")
