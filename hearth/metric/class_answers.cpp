// A classifier's answers beside the labels.
#include "hearth/metric/class_answers.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/softplus.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "hearth/tensor/best_class.h"
#include "hearth/tensor/class_scores.h"

namespace hearth {
namespace {

std::vector<int64_t> without_ones(const std::vector<int64_t>& shape) {
  std::vector<int64_t> lengths;
  std::copy_if(shape.begin(), shape.end(), std::back_inserter(lengths),
               [](int64_t length) { return length != 1; });
  return lengths;
}

double log_loss_of_share(double share) {
  const double least = std::numeric_limits<double>::epsilon();
  return -std::log(share < least ? least : share);
}

double log_loss_of_logits(const float* logits, int64_t classes, int64_t label) {
  const double highest = *std::max_element(logits, logits + classes);
  double sum = 0;
  for (int64_t i = 0; i < classes; ++i) sum += std::exp(static_cast<double>(logits[i]) - highest);
  return std::log(sum) - (static_cast<double>(logits[label]) - highest);
}

}  // namespace

at::Tensor class_numbers(const at::Tensor& labels) {
  return labels.is_floating_point() ? labels.argmax(1) : labels;
}

at::Tensor is_counted(const at::Tensor& numbers) { return numbers.ne(kIgnoredLabel); }

// A pass over memory: a small step's time would else go into LibTorch's calls.
int64_t counted_on_host(const at::Tensor& numbers) {
  if (!numbers.is_contiguous() || numbers.scalar_type() != at::kLong)
    return is_counted(numbers).sum().item<int64_t>();
  const int64_t* number = numbers.data_ptr<int64_t>();
  return numbers.numel() - std::count(number, number + numbers.numel(), kIgnoredLabel);
}

// In operators that every device has, LibTorch's `meta` among them.
at::Tensor is_class(const at::Tensor& numbers, int64_t classes) {
  return (numbers >= 0).bitwise_and(numbers < classes);
}

ClassAnswers class_answers(const at::Tensor& scores, const at::Tensor& labels) {
  const int64_t classes = scores.size(1);
  const at::Tensor numbers = class_numbers(labels);
  const at::Tensor counts = is_class(numbers, classes);
  const at::Tensor place_behind = counts.eq(false) * classes;
  return {(numbers * counts + place_behind).flatten(),
          (scores.argmax(1) * counts + place_behind).flatten()};
}

ClassAnswers yes_or_no_answers(const at::Tensor& scores, const at::Tensor& labels,
                               double threshold) {
  const at::Tensor numbers = labels.to(at::kLong);
  const at::Tensor counts = is_class(numbers, 2);
  const at::Tensor place_behind = counts.eq(false) * 2;
  const at::Tensor yes = scores.reshape(labels.sizes()).gt(threshold);
  return {(numbers * counts + place_behind).flatten(), (yes * counts + place_behind).flatten()};
}

ClassShares class_shares(const Known& known, const std::string& scores, const MetricBatch& batch) {
  const at::Tensor values = batch[0].to(at::kDouble);
  const bool is_logits = scores == "logits";
  const at::Tensor numbers = known.is_yes_or_no ? batch[1].to(at::kLong) : class_numbers(batch[1]);
  const at::Tensor counted = is_class(numbers, known.is_yes_or_no ? 2 : values.size(1));
  const at::Tensor labels = numbers * counted;
  if (known.is_yes_or_no)
    return {(is_logits ? at::sigmoid(values) : values).reshape(labels.sizes()), labels, counted};
  return {is_logits ? at::softmax(values, 1) : values, labels, counted};
}

at::Tensor shares_due(const Known& known, const ClassShares& given) {
  if (known.is_yes_or_no) return given.labels.to(at::kDouble);
  return at::zeros_like(given.shares).scatter(1, given.labels.unsqueeze(1), 1);
}

at::Tensor share_of_label(const Known& known, const ClassShares& given) {
  if (!known.is_yes_or_no) return given.shares.gather(1, given.labels.unsqueeze(1)).squeeze(1);
  return at::where(given.labels.eq(1), given.shares, 1 - given.shares);
}

Terms log_loss_terms(const Known& known, const std::string& scores, const MetricBatch& batch) {
  const ClassShares given = class_shares(known, "probabilities", batch);  // as they are
  if (scores == "probabilities") {
    const at::Tensor share = share_of_label(known, given);
    return {{share.clamp_min(std::numeric_limits<double>::epsilon()).log().neg()}, given.counted};
  }
  if (known.is_yes_or_no)
    return {{at::softplus(given.shares * (1 - given.labels * 2))}, given.counted};
  return {{at::log_softmax(given.shares, 1).gather(1, given.labels.unsqueeze(1)).squeeze(1).neg()},
          given.counted};
}

std::optional<std::vector<double>> quick_log_loss(const Known& known, const std::string& scores,
                                                  const MetricBatch& batch) {
  if (known.is_yes_or_no || !are_plain_rows(batch[0], batch[1])) return std::nullopt;
  const bool are_shares = scores == "probabilities";
  const int64_t classes = batch[0].size(1);
  const float* row = batch[0].data_ptr<float>();
  const int64_t* label = batch[1].data_ptr<int64_t>();
  std::vector<double> rows;
  rows.reserve(static_cast<size_t>(2 * batch[1].size(0)));
  for (int64_t i = 0; i < batch[1].size(0); ++i, row += classes) {
    if (label[i] < 0 || label[i] >= classes) continue;
    rows.push_back(1);
    rows.push_back(are_shares ? log_loss_of_share(row[label[i]])
                              : log_loss_of_logits(row, classes, label[i]));
  }
  return rows;
}

Known check_class_answers(std::span<const KeySpec> scores_and_labels) {
  const KeySpec& scores = scores_and_labels[0];
  const KeySpec& labels = scores_and_labels[1];
  const bool is_one_each = is_floating(scores.spec.dtype) && !are_soft_labels(labels.spec) &&
                           !scores.spec.is_per_batch && !labels.spec.is_per_batch &&
                           labels.spec.classes <= 2 &&
                           without_ones(scores.spec.shape) == without_ones(labels.spec.shape);
  if (!is_one_each) {
    check_class_scores(scores, labels);
    std::vector<int64_t> places(scores.spec.shape.begin() + 1, scores.spec.shape.end());
    return {std::move(places), names_of_classes(scores.spec, labels.spec), false};
  }
  const bool has_names = labels.spec.class_names.size() == 2;
  return {labels.spec.shape,
          has_names ? labels.spec.class_names : std::vector<std::string>{"no", "yes"}, true};
}

std::vector<std::string> names_of_classes(const Spec& scores, const Spec& labels) {
  const auto classes = static_cast<size_t>(scores.shape.front());
  for (const Spec* spec : {&labels, &scores})
    if (spec->class_names.size() == classes) return spec->class_names;
  std::vector<std::string> numbers;
  for (size_t i = 0; i < classes; ++i) numbers.push_back(std::to_string(i));
  return numbers;
}

}  // namespace hearth
