// Predicted and true texts as numbers of words or characters. For people who write a metric of
// them.
#pragma once

#include <functional>
#include <vector>

#include "hearth/metric/gather_metric.h"
#include "hearth/metric/token_options.h"

namespace hearth {

struct TextPair {
  std::vector<int64_t> guess;
  std::vector<int64_t> truth;
};

// How many tokens must be substituted, inserted or deleted to make one text the other.
[[nodiscard]] int64_t edit_distance(const TextPair& pair);

// GraphError unless both keys are rows of tokens, or the first is scores of them.
[[nodiscard]] Known check_texts(std::span<const KeySpec> keys);
// Of scores [B, tokens, T], the highest.
[[nodiscard]] Rows text_rows(const MetricBatch& batch);
// Numbers of each pair of texts, double [N, count], which `write` finds as zeros.
[[nodiscard]] at::Tensor text_numbers(const Samples& samples, const metrics::TextOptions& options,
                                      int64_t count,
                                      const std::function<void(const TextPair&, double*)>& write);

// The options of metrics that read keys this way.
template <class O>
[[nodiscard]] Schema<O> texts_schema() {
  return Schema<O>()
      .field(&O::in, "in",
             "Keys of the predicted texts, as numbers of tokens [B, T] or scores of them "
             "[B, tokens, T], and of the true ones, [B, T]. Texts may have different lengths.")
      .field(&O::ignored, "ignored",
             "Numbers that are no part of a text, such as that of padding. -100 never is.")
      .field(&O::end, "end", "Number that ends a text; what follows is no part of it.")
      .check("in must name two keys: the predicted texts and the true ones.",
             [](const O& options) { return options.in.size() == 2; });
}

}  // namespace hearth
