// A classifier's answers beside the labels, as metrics read them. A soft label, a share for each
// class, is the class with its largest share. Labels of -100 do not count, as in losses.
#pragma once

#include <string>
#include <vector>

#include "hearth/config/schema.h"
#include "hearth/core/spec.h"
#include "hearth/metric/batch_sum.h"

namespace hearth {

// The option `in` of metrics that read keys this way.
template <class O>
[[nodiscard]] Schema<O> class_answers_schema() {
  return Schema<O>()
      .field(&O::in, "in",
             "Keys of the scores and of the class numbers. Of soft labels, a share for each class, "
             "the class with the largest share counts. Labels of -100 do not count.")
      .check("in must name two keys: the scores and the class numbers.",
             [](const O& options) { return options.in.size() == 2; });
}

// int64 [B, ...]: class numbers as they are, or those of soft labels.
[[nodiscard]] at::Tensor class_numbers(const at::Tensor& labels);

// How many of the class numbers count.
void add_counted(const at::Tensor& numbers, BatchSum<int64_t>& sum);

// Whether a number is that of a class.
[[nodiscard]] at::Tensor is_class(const at::Tensor& numbers, int64_t classes);

// int64, one for each label. Where a label does not count, or is no class, both hold the number of
// classes: a place of its own behind theirs.
struct ClassAnswers {
  at::Tensor label;
  at::Tensor predicted;
};
[[nodiscard]] ClassAnswers class_answers(const at::Tensor& scores, const at::Tensor& labels);

// Of scores for each class and labels: as the data names them, or their numbers.
[[nodiscard]] std::vector<std::string> names_of_classes(const Spec& scores, const Spec& labels);

}  // namespace hearth
