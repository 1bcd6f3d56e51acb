// Where the first value of a batch that is no finite number comes from: the data, a parameter, an
// op or a layer, and which samples. It runs the batch again up to its first update, and watches
// every layer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hearth/data/source.h"
#include "hearth/train/batch_runner.h"

namespace hearth {

struct FoundFault {
  std::string where;          // "the layer net.conv1 (conv2d)", "network[1] cross_entropy"
  std::vector<int64_t> rows;  // of the batch; none when it is not of single samples
  // "It comes from the layer net.conv1 (conv2d), of sample 3 (a.png)."
  [[nodiscard]] std::string text(const HostBatch& batch, const Source& source) const;
};

// Parameters must be as they were before the batch; buffers may change. Random numbers are drawn as
// the generators stand. Nothing when all values are finite by then.
[[nodiscard]] std::optional<FoundFault> find_fault(Network& network, const CompiledPlan& compiled,
                                                   const HostBatch& batch,
                                                   const StepContext& context);

// Of samples with losses above the mean of their batch, the highest few.
struct HighLosses {
  std::vector<int64_t> rows;   // the highest first; none when samples have no losses of their own
  std::vector<double> losses;  // of the rows
  // "The loss is highest for sample 3 (a.png), 812.4." Empty without rows.
  [[nodiscard]] std::string text(const HostBatch& batch, const Source& source) const;
};

// For a batch whose values are all finite. Runs it again as `find_fault` does.
[[nodiscard]] HighLosses find_high_losses(Network& network, const CompiledPlan& compiled,
                                          const HostBatch& batch, const StepContext& context);

}  // namespace hearth
