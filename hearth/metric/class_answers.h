// A classifier's answers beside the labels, as metrics read them. A soft label, a share for each
// class, is the class with its largest share. Labels of -100 do not count, as in losses.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hearth/config/schema.h"
#include "hearth/core/spec.h"
#include "hearth/metric/batch_sum.h"
#include "hearth/metric/sum_metric.h"

namespace hearth {

// The option `in` of metrics that read keys this way.
template <class O>
[[nodiscard]] Schema<O> class_answers_schema() {
  return Schema<O>()
      .field(&O::in, "in",
             "Keys of the scores and of the class numbers. Of soft labels, a share for each class, "
             "the class with the largest share counts. Labels of -100 do not count. One score for "
             "each label, instead of one for each class, is for answers of yes or no, 1 or 0.")
      .check("in must name two keys: the scores and the class numbers.",
             [](const O& options) { return options.in.size() == 2; });
}
// The same with the option `threshold`.
template <class O>
[[nodiscard]] Schema<O> thresholded_answers_schema() {
  return class_answers_schema<O>().field(
      &O::threshold, "threshold",
      "A single score above it says yes; 0 for scores as networks give them, 0.5 for "
      "probabilities. Of scores for each class the highest is the answer.");
}
// The same with the option `scores`.
template <class O>
[[nodiscard]] Schema<O> class_shares_schema() {
  return class_answers_schema<O>().field(
      &O::scores, "scores",
      "What the scores are: `logits`, as networks give them, or `probabilities`.",
      one_of({"logits", "probabilities"}));
}

// GraphError unless there is a score for each class beside a label, or one for yes or no.
[[nodiscard]] Known check_class_answers(std::span<const KeySpec> scores_and_labels);

// int64 [B, ...]: class numbers as they are, or those of soft labels.
[[nodiscard]] at::Tensor class_numbers(const at::Tensor& labels);

// Which class numbers count, all but kIgnoredLabel; and how many, of those on the host.
[[nodiscard]] at::Tensor is_counted(const at::Tensor& numbers);
[[nodiscard]] int64_t counted_on_host(const at::Tensor& numbers);

// Whether a number is that of a class.
[[nodiscard]] at::Tensor is_class(const at::Tensor& numbers, int64_t classes);

// int64, one for each label. Where a label does not count, or is no class, both hold the number of
// classes: a place of its own behind theirs.
struct ClassAnswers {
  at::Tensor label;
  at::Tensor predicted;
};
[[nodiscard]] ClassAnswers class_answers(const at::Tensor& scores, const at::Tensor& labels);
// Of single scores, which say yes above the threshold: class 1 of two.
[[nodiscard]] ClassAnswers yes_or_no_answers(const at::Tensor& scores, const at::Tensor& labels,
                                             double threshold);

// Scores and labels for metrics of probabilities.
struct ClassShares {
  at::Tensor shares;   // double [B, classes, ...]; for yes or no [B, ...], of yes
  at::Tensor labels;   // int64 [B, ...]; 0 where it does not count
  at::Tensor counted;  // bool [B, ...]
};
[[nodiscard]] ClassShares class_shares(const Known& known, const std::string& scores,
                                       const MetricBatch& batch);
// Doubles of the shape of the shares: 1 at each label's class.
[[nodiscard]] at::Tensor shares_due(const Known& known, const ClassShares& given);
// Of the class of each label, [B, ...]; for yes or no, the share of the right answer.
[[nodiscard]] at::Tensor share_of_label(const Known& known, const ClassShares& given);
// Minus the logarithm of that, [B, ...], without rounding small shares of logits to nothing; given
// probabilities of 0 are as good as the smallest that a double tells from 1.
[[nodiscard]] Terms log_loss_terms(const Known& known, const std::string& scores,
                                   const MetricBatch& batch);
// Rows of 1 and that of each label that counts, in one pass over memory; nothing for tensors that
// do not lie for it.
[[nodiscard]] std::optional<std::vector<double>> quick_log_loss(const Known& known,
                                                                const std::string& scores,
                                                                const MetricBatch& batch);

// Of scores for each class and labels: as the data names them, or their numbers.
[[nodiscard]] std::vector<std::string> names_of_classes(const Spec& scores, const Spec& labels);

}  // namespace hearth
