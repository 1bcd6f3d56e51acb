// Branches over one trunk, each with heads of its own, and heads over all of them together.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hearth/config/choice.h"

namespace hearth::layers {

// A linear layer at the end of a branch.
struct BranchHead {
  std::string name = "scores";
  std::optional<std::string> label = std::nullopt;  // the target whose classes it scores
  std::optional<int64_t> size = std::nullopt;       // of another head
  static const Schema<BranchHead>& schema();
};

struct BranchOptions {
  std::string name = {};                                // must be given
  std::optional<Choice<Layer>> network = std::nullopt;  // must be given
  std::vector<BranchHead> heads = {};
  bool soft_targets = false;
  static const Schema<BranchOptions>& schema();
};

struct MultiBranchOptions {
  std::optional<Choice<Layer>> trunk = std::nullopt;
  std::optional<std::string> share_until = std::nullopt;
  std::vector<BranchOptions> branches = {};
  std::vector<BranchHead> fused = {};
  bool features = false;
  static const Schema<MultiBranchOptions>& schema();
};

// What comes out, in this order.
struct BranchOutput {
  enum class Sort : uint8_t { kHead, kSoftTargets, kFeatures };
  std::string name = {};                   // "color_scores"
  std::string branch = {};                 // "fused" for what all branches say together
  std::optional<std::string> label = {};   // the target it tracks
  std::optional<int64_t> dimensions = {};  // nothing: as many as the label has classes
  Sort sort = Sort::kHead;
};
[[nodiscard]] std::vector<BranchOutput> branch_outputs(const MultiBranchOptions& options);

[[nodiscard]] Choice<Layer> multi_branch(MultiBranchOptions options);

}  // namespace hearth::layers
