// Predicted and true texts as numbers of words or characters.
#include "hearth/metric/token_texts.h"

#include <ATen/ops/zeros.h>

#include <algorithm>
#include <numeric>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/tensor/class_scores.h"

namespace hearth {
namespace {

std::vector<int64_t> text_of(const at::Tensor& row, const metrics::TextOptions& options) {
  std::vector<int64_t> text;
  const int64_t* token = row.data_ptr<int64_t>();
  for (int64_t i = 0; i < row.numel(); ++i) {
    if (options.end && token[i] == *options.end) break;
    const bool is_ignored = token[i] == kIgnoredLabel ||
                            std::find(options.ignored.begin(), options.ignored.end(), token[i]) !=
                                options.ignored.end();
    if (!is_ignored) text.push_back(token[i]);
  }
  return text;
}

}  // namespace

// Row after row of the table of all prefixes.
int64_t edit_distance(const TextPair& pair) {
  std::vector<int64_t> edits(pair.truth.size() + 1);
  std::iota(edits.begin(), edits.end(), 0);
  for (const int64_t token : pair.guess) {
    int64_t diagonal = edits[0]++;
    for (size_t i = 0; i < pair.truth.size(); ++i) {
      const int64_t substituted = diagonal + (pair.truth[i] == token ? 0 : 1);
      diagonal = edits[i + 1];
      edits[i + 1] = std::min({substituted, diagonal + 1, edits[i] + 1});
    }
  }
  return edits.back();
}

Known check_texts(std::span<const KeySpec> keys) {
  const Spec& guess = keys[0].spec;
  const Spec& truth = keys[1].spec;
  const bool is_scores = is_floating(guess.dtype) && guess.shape.size() == 2;
  const bool is_tokens = guess.dtype == DType::kInt64 && guess.shape.size() == 1;
  if (guess.is_per_batch || (!is_scores && !is_tokens))
    throw GraphError(
        "needs texts as numbers of tokens, int64 [B, T], or scores of them, float "
        "[B, tokens, T], in " +
        quote(keys[0].key) + ", but it is " + guess.text() +
        ". Name the key that a model call writes.");
  if (truth.is_per_batch || truth.dtype != DType::kInt64 || truth.shape.size() != 1)
    throw GraphError("needs texts as numbers of tokens, int64 [B, T], in " + quote(keys[1].key) +
                     ", but it is " + truth.text() + ". Name the key of the data's texts.");
  return {};
}

Rows text_rows(const MetricBatch& batch) {
  const at::Tensor guess = batch[0].is_floating_point() ? batch[0].argmax(1) : batch[0];
  return {{guess, batch[1]}, batch[1].narrow(1, 0, 0).sum(1)};
}

at::Tensor text_numbers(const Samples& samples, const metrics::TextOptions& options, int64_t count,
                        const std::function<void(const TextPair&, double*)>& write) {
  const at::Tensor guess = samples[0].contiguous();
  const at::Tensor truth = samples[1].contiguous();
  at::Tensor numbers = at::zeros({guess.size(0), count}, at::kDouble);
  for (int64_t i = 0; i < guess.size(0); ++i)
    write({text_of(guess.select(0, i), options), text_of(truth.select(0, i), options)},
          numbers.data_ptr<double>() + i * count);
  return numbers;
}

}  // namespace hearth

namespace hearth::metrics {

const Schema<TokenMetricOptions>& TokenMetricOptions::schema() {
  static const auto fields = measured_by_weight(texts_schema<TokenMetricOptions>());
  return fields;
}

}  // namespace hearth::metrics
