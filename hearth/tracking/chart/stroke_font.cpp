// Letters as strokes on a grid: x from 0, y from 0 at the top of capitals over 6 at the baseline to
// 8 at the foot of a "g". Each stroke is a row of places, x and y in turns; "~" makes a curve
// through them, "@" a closed one. A stroke of one place twice is a dot.
#include "hearth/tracking/chart/stroke_font.h"

#include <algorithm>
#include <array>

#include "hearth/base/letters.h"

namespace hearth {
namespace {

constexpr double kLineUnits = 8.6;  // of the grid in the height of a line
constexpr double kBaseline = 6;
constexpr double kGap = 1.7;
constexpr double kBlank = 3;
constexpr double kDigitWidth = 3;

// From "!" to "~", in the order of ASCII.
constexpr std::array<const char*, 94> kGlyphs = {
    "0004 0606",                            // !
    "0002 2022",                            // "
    "1016 3036 0242 0444",                  // #
    "~413010010213334445361605 2027",       // $
    "4006 @00101101 @35454636",             // %
    "~4613112031130405162643",              // &
    "0002",                                 // '
    "~10020517",                            // (
    "~00121507",                            // )
    "1115 0234 0432",                       // *
    "0444 2226",                            // +
    "1607",                                 // ,
    "0434",                                 // -
    "0606",                                 // .
    "3007",                                 // /
    "@1001051626353120",                    // 0
    "112026",                               // 1
    "~011020313206 0636",                   // 2
    "~01102031322313 ~13233435261605",      // 3
    "26200434",                             // 4
    "300003 ~0312223335261605",             // 5
    "~2011030516263534231304",              // 6
    "003016",                               // 7
    "@1001021323323120 @1304051626353423",  // 8
    "~1625333120100102132332",              // 9
    "0303 0606",                            // :
    "1303 1607",                            // ;
    "320436",                               // <
    "0343 0545",                            // =
    "023406",                               // >
    "~011020313214 1616",                   // ?
    "~332213243334434130100105163645",      // @
    "062046 1333",                          // A
    "0006 ~003041423303 ~033344453606",     // B
    "~4130100105163645",                    // C
    "0006 ~002042442606",                   // D
    "40000646 0333",                        // E
    "400006 0333",                          // F
    "~4130100105163645 454323",             // G
    "0006 4046 0343",                       // H
    "0006",                                 // I
    "~3035261605",                          // J
    "0006 4004 1346",                       // K
    "000646",                               // L
    "0600244046",                           // M
    "06004640",                             // N
    "@1001051636454130",                    // O
    "0600 ~003041423303",                   // P
    "@1001051636454130 2446",               // Q
    "0600 ~003041423303 2346",              // R
    "~413010010213334445361605",            // S
    "0040 2026",                            // T
    "~000416364440",                        // U
    "002640",                               // V
    "0016223640",                           // W
    "0046 4006",                            // X
    "002340 2326",                          // Y
    "00400646",                             // Z
    "20000727",                             // [
    "0037",                                 // backslash
    "00202707",                             // ]
    "021022",                               // ^
    "0747",                                 // _
    "0011",                                 // `
    "3236 @2212030516263533",               // a
    "0006 @2212030516263533",               // b
    "~3322120305162635",                    // c
    "3036 @2212030516263533",               // d
    "0434 ~3433221203051626 2635",          // e
    "~30201116 0222",                       // f
    "@2212030516263533 ~3237281807",        // g
    "0006 ~0312223336",                     // h
    "0206 0000",                            // i
    "~121708 1010",                         // j
    "0006 3205 1436",                       // k
    "0006",                                 // l
    "0206 ~03122326 ~23324346",             // m
    "0206 ~0312223336",                     // n
    "@2212030516263533",                    // o
    "0208 @2212030516263533",               // p
    "3238 @2212030516263533",               // q
    "0206 ~031222",                         // r
    "~33221203142435261605",                // s
    "~10152636 0232",                       // t
    "~0205162635 3236",                     // u
    "022642",                               // v
    "0216233642",                           // w
    "0236 3206",                            // x
    "0226 4218",                            // y
    "02320636",                             // z
    "~20111203141627",                      // {
    "0007",                                 // |
    "~00111223141607",                      // }
    "~04132433"                             // ~
};
constexpr const char* kBox = "0030360600";

using StrokeSpots = std::vector<Spot>;

// Through every place, in thirds between two of them.
StrokeSpots curved(const StrokeSpots& spots, bool is_closed) {
  StrokeSpots curve;
  const auto count = static_cast<int64_t>(spots.size());
  const auto at = [&](int64_t i) {
    return spots[static_cast<size_t>(is_closed ? (i + count) % count
                                               : std::clamp<int64_t>(i, 0, count - 1))];
  };
  constexpr int kParts = 4;
  for (int64_t i = 0; i < (is_closed ? count : count - 1); ++i)
    for (int part = 0; part < kParts; ++part) {
      const double t = static_cast<double>(part) / kParts;
      const auto blend = [&](double a, double b, double c, double d) {
        return 0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t +
                      (3 * b - a - 3 * c + d) * t * t * t);
      };
      curve.push_back({blend(at(i - 1).x, at(i).x, at(i + 1).x, at(i + 2).x),
                       blend(at(i - 1).y, at(i).y, at(i + 1).y, at(i + 2).y)});
    }
  curve.push_back(is_closed ? spots.front() : spots.back());
  return curve;
}

std::vector<StrokeSpots> glyph_strokes(const std::string& glyph) {
  std::vector<StrokeSpots> strokes;
  StrokeSpots spots;
  char kind = ' ';
  const auto finish = [&] {
    if (!spots.empty()) strokes.push_back(kind == ' ' ? spots : curved(spots, kind == '@'));
    spots.clear();
    kind = ' ';
  };
  for (size_t i = 0; i < glyph.size(); ++i) {
    if (glyph[i] == ' ') {
      finish();
    } else if (glyph[i] == '~' || glyph[i] == '@') {
      kind = glyph[i];
    } else {
      spots.push_back(
          {static_cast<double>(glyph[i] - '0'), static_cast<double>(glyph[i + 1] - '0')});
      ++i;
    }
  }
  finish();
  return strokes;
}

// A letter's glyph for each, with how far the next one is.
struct Letter {
  std::vector<StrokeSpots> strokes;
  double advance = kBlank;
};

Letter letter_of(unsigned char code) {
  if (code == ' ') return {};
  const bool is_known = code > ' ' && code <= '~';
  Letter letter{glyph_strokes(is_known ? kGlyphs[code - '!'] : kBox), 0};
  for (const StrokeSpots& stroke : letter.strokes)
    for (const Spot& spot : stroke) letter.advance = std::max(letter.advance, spot.x);
  if (code >= '0' && code <= '9') letter.advance = kDigitWidth;
  letter.advance += kGap;
  return letter;
}

std::vector<Letter> letters_of(const std::string& text) {
  std::vector<Letter> letters;
  for (const char byte : visible(text)) {
    const auto code = static_cast<unsigned char>(byte);
    if ((code & 0xC0U) != 0x80U)
      letters.push_back(letter_of(code));  // once for a letter of many bytes
  }
  return letters;
}

}  // namespace

std::vector<std::vector<Spot>> text_strokes(const std::string& text, double size) {
  const double unit = size / kLineUnits;
  std::vector<std::vector<Spot>> strokes;
  double at = 0;
  for (const Letter& letter : letters_of(text)) {
    for (StrokeSpots stroke : letter.strokes) {
      for (Spot& spot : stroke) spot = {(at + spot.x) * unit, (spot.y - kBaseline) * unit};
      strokes.push_back(std::move(stroke));
    }
    at += letter.advance;
  }
  return strokes;
}

double stroke_text_width(const std::string& text, double size) {
  double width = 0;
  for (const Letter& letter : letters_of(text)) width += letter.advance;
  return std::max(0.0, width - kGap) * size / kLineUnits;
}

double text_width(const std::string& text, double size) { return stroke_text_width(text, size); }

}  // namespace hearth
