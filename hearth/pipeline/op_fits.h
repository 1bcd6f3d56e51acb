// What ops learn from the training data before they run: means, medians, borders.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/core/graph.h"
#include "hearth/data/loader.h"
#include "hearth/data/sample_op.h"

namespace hearth {

// One op, and what comes before it as evaluation has it: what is random in training is no part of
// the data.
struct FittingJob {
  std::string label;  // "data.ops[1] impute"
  Mark mark = {};
  std::shared_ptr<const SampleOp> op;
  std::vector<GraphNode> nodes;  // the source of training and the ops before this one, in mode eval
  std::shared_ptr<const Source> source;
  LoaderOptions loader;                                 // its batch size does not matter
  std::function<void(const std::string&)> notice = {};  // how far it is, now and then
};
// The options that its config leaves open.
[[nodiscard]] Node fitted_options(FittingJob job);

// The ops with all that they leave open, learned from the source of training, which is open.
[[nodiscard]] std::vector<Choice<SampleOp>> fitted_ops(std::vector<Choice<SampleOp>> ops,
                                                       const std::shared_ptr<const Source>& source,
                                                       const LoaderOptions& loader);

}  // namespace hearth
