// How a text is continued.
#include "hearth/train/generation/generate_options.h"

#include <algorithm>

#include "hearth/config/validate.h"

namespace hearth {
namespace {

constexpr double kMostTokens = 1e6;
constexpr double kMostBeams = 1000;

bool draws(const GenerateOptions& options) {
  return options.temperature || options.top_k || options.top_p;
}

}  // namespace

const Schema<GenerateOptions>& GenerateOptions::schema() {
  using O = GenerateOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::max_tokens, "max_tokens", "Tokens to write at most.", at_least(1),
                 at_most(kMostTokens))
          .field(&O::temperature, "temperature",
                 "Below 1 likely tokens become likelier, above 1 less so; 0 always takes the most "
                 "likely one. 1 when left out.",
                 at_least(0))
          .field(&O::top_k, "top_k", "Draw from so many of the most likely tokens only.",
                 at_least(1))
          .field(&O::top_p, "top_p",
                 "Draw from the fewest most likely tokens that have this probability together.",
                 above(0), at_most(1))
          .field(&O::repetition_penalty, "repetition_penalty",
                 "Makes tokens that the text has already less likely; 1 does nothing.", at_least(1))
          .field(&O::beams, "beams",
                 "Look for the most likely text, with so many beginnings at a time, instead of "
                 "drawing tokens.",
                 at_least(1), at_most(kMostBeams))
          .field(&O::length_penalty, "length_penalty",
                 "Beams of different lengths are compared by their log probability over their "
                 "length to this power.",
                 at_least(0))
          .field(&O::stop, "stop",
                 "Texts, or names of tokens, that end the text; they are not part of it.")
          .field(&O::seed, "seed", "Another seed draws other tokens.", at_least(0))
          .field(&O::cache, "cache",
                 "Remember what was computed of the text so far; without it everything is computed "
                 "again for each token, with the same result.")
          .check("stop must not hold an empty text.",
                 [](const O& options) {
                   return std::find(options.stop.begin(), options.stop.end(), "") ==
                          options.stop.end();
                 })
          .check(
              "beams look for the most likely text, so that temperature, top_k and top_p say "
              "nothing. Leave them out, or beams.",
              [](const O& options) { return options.beams == 1 || !draws(options); });
  return fields;
}

void check_generate_options(const GenerateOptions& options) {
  const Schema<GenerateOptions>& schema = GenerateOptions::schema();
  const Node node = schema.write(options);
  throw_faults(validate(node, schema.info(), {}));
  (void)schema.read(node);
}

}  // namespace hearth
