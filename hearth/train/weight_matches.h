// Which tensor of a file is which of a model. For internal use by load_weights.
#pragma once

#include <set>

#include "hearth/train/load_weights.h"

namespace hearth {

struct WeightMatch {
  at::Tensor tensor;  // of the model
  const WeightEntry* entry = nullptr;
  int64_t channels = 0;  // to bring the file's tensor to; 0: as it is
};

class WeightMatches {
 public:
  // ConfigError with all that does not fit, unless the options allow it.
  WeightMatches(const Layer& layer, const WeightFile& file, const WeightsOptions& options);
  [[nodiscard]] const std::vector<WeightMatch>& all() const { return matches_; }
  [[nodiscard]] const WeightReport& report() const { return report_; }

 private:
  using Names = std::map<std::string, const WeightEntry*>;
  [[nodiscard]] std::vector<NamedTensor> wanted(const Layer& layer) const;
  void match(const std::string& name, const at::Tensor& tensor, const WeightEntry& entry);
  [[nodiscard]] bool take_shape(const std::string& name, const at::Tensor& tensor,
                                const WeightEntry& entry);
  [[nodiscard]] bool is_fresh(const std::string& name, bool is_found) const;
  void bring_up_to_date(const std::vector<NamedTensor>& tensors);
  [[nodiscard]] bool is_in_head(const std::string& name) const;
  void note_types(const std::string& name, const at::Tensor& tensor, const WeightEntry& entry);
  void check() const;

  const WeightsOptions& options_;
  Names names_;  // of the file, as they are looked for
  std::vector<WeightMatch> matches_;
  WeightReport report_;
  std::set<std::string> heads_;  // "fc.", of layers that give what the model gives
  bool has_adapted_ = false;     // only the first convolution is
};

}  // namespace hearth
