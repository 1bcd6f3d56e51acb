// EdnaML's multi-branch classifier: branches over one trunk, each with heads of its own, and heads
// over the features of all branches. A branch may learn from what those say: soft targets.
#include "hearth/nn/architectures/multi_branch.h"

#include <set>

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/nn/backbone.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/layers/composition/concat.h"
#include "hearth/nn/layers/linear.h"

namespace hearth::layers {
namespace {

constexpr const char* kFusedBranch = "fused";
constexpr const char* kBranchInput = "image";

BranchOutput head_output(const std::string& branch, const BranchHead& head) {
  return {branch + "_" + head.name, branch, head.label, head.size};
}

Choice<Layer> head_layer(const BranchOutput& output) {
  return linear({.out_features = output.dimensions, .classes_of = output.label});
}

class MultiBranch : public Layer {
 public:
  using Options = MultiBranchOptions;
  explicit MultiBranch(MultiBranchOptions options) : options_(std::move(options)) {}

 protected:
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    if (options_.branches.empty() || branch_outputs(options_).empty())
      throw GraphError(context.path +
                       " multi_branch: nothing would come out of it. Name branches with heads, or "
                       "set features.");
    std::vector<Choice<Layer>> nodes;
    std::string shared = kBranchInput;
    if (options_.trunk) {
      std::vector<std::string> levels;
      if (options_.share_until) levels.push_back(*options_.share_until);
      shared = "trunk";
      nodes.push_back(wired(hearth::backbone(*options_.trunk, levels, inputs, context),
                            {kBranchInput}, {}, shared));
    }
    std::vector<std::string> features;
    for (const BranchOptions& branch : options_.branches) {
      features.push_back(branch.name + "_features");
      nodes.push_back(wired(*branch.network, {shared}, {features.back()}, branch.name));
    }
    if (options_.features || !options_.fused.empty())
      nodes.push_back(wired(concat(), features, {"fused_features"}, kFusedBranch));
    std::vector<std::string> outputs;
    for (const BranchOutput& output : branch_outputs(options_)) {
      outputs.push_back(output.name);
      if (output.sort == BranchOutput::Sort::kFeatures) continue;
      nodes.push_back(wired(head_layer(output), {output.branch + "_features"}, {}, output.name));
    }
    return described({kBranchInput}, nodes, outputs);
  }

 private:
  MultiBranchOptions options_;
};

bool has_different_names(const MultiBranchOptions& options) {
  std::set<std::string> names = {kFusedBranch, "trunk", kBranchInput};
  size_t count = names.size();
  const auto add = [&](const std::string& name) {
    names.insert(name);
    ++count;
  };
  for (const BranchOptions& branch : options.branches) add(branch.name);
  for (const BranchOutput& output : branch_outputs(options)) add(output.name);
  return names.size() == count;
}

bool has_soft_targets(const MultiBranchOptions& options) {
  for (const BranchOptions& branch : options.branches)
    if (branch.soft_targets) return true;
  return false;
}

}  // namespace

std::vector<BranchOutput> branch_outputs(const MultiBranchOptions& options) {
  std::vector<BranchOutput> outputs;
  for (const BranchOptions& branch : options.branches) {
    for (const BranchHead& head : branch.heads) outputs.push_back(head_output(branch.name, head));
    if (!branch.soft_targets || options.fused.empty()) continue;
    BranchOutput soft = head_output(branch.name, options.fused.front());
    soft.name = branch.name + "_soft";
    soft.sort = BranchOutput::Sort::kSoftTargets;
    outputs.push_back(soft);
  }
  for (const BranchHead& head : options.fused) outputs.push_back(head_output(kFusedBranch, head));
  if (options.features)
    outputs.push_back({"fused_features", kFusedBranch, {}, {}, BranchOutput::Sort::kFeatures});
  return outputs;
}

const Schema<BranchHead>& BranchHead::schema() {
  using O = BranchHead;
  static const auto fields =
      Schema<O>()
          .field(&O::name, "name", "What comes out is called <branch>_<name>.", not_empty())
          .field(&O::label, "label",
                 "The target that it tracks: as many scores come out as that has classes. Left "
                 "out: the data's only one.",
                 not_empty())
          .field(&O::size, "size", "Numbers that come out, of a head that scores no classes.",
                 at_least(1))
          .check("label or size, not both.",
                 [](const O& options) { return !options.label || !options.size; });
  return fields;
}

const Schema<BranchOptions>& BranchOptions::schema() {
  using O = BranchOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::name, "name", "What the branch is called.", required(), not_empty())
          .field(&O::network, "network",
                 "Its own layers, from what the trunk gives to features [F].", required())
          .field(&O::heads, "heads", "Linear layers over its features, each with a name.")
          .field(&O::soft_targets, "soft_targets",
                 "A further head, <name>_soft, as wide as the first fused one, which it learns "
                 "from: distillation_loss: {in: [<name>_soft, fused_scores]}.");
  return fields;
}

const Schema<MultiBranchOptions>& MultiBranchOptions::schema() {
  using O = MultiBranchOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::trunk, "trunk", "What all branches share; nothing when left out.")
          .field(&O::share_until, "share_until",
                 "The last layer of the trunk that is taken, by its name, such as layer2 of "
                 "resnet; all of them when left out.",
                 not_empty())
          .field(&O::branches, "branches", "The branches, each with a name.")
          .field(&O::fused, "fused", "Heads over the features of all branches together.")
          .field(&O::features, "features", "These features come out too, last.")
          .check(
              "branches and their heads need names that differ from each other's, and from "
              "'fused', 'trunk' and 'image'.",
              has_different_names)
          .check("soft_targets of a branch need a head in `fused` to learn from.",
                 [](const O& options) {
                   return !has_soft_targets(options) || !options.fused.empty();
                 });
  return fields;
}

Choice<Layer> multi_branch(MultiBranchOptions options) {
  return choose<Layer>("multi_branch", options);
}

void register_multi_branch(Registry<Layer>& layers) {
  layers.add<MultiBranch>("multi_branch",
                          "Branches over one trunk, each with heads for labels of its own, and "
                          "heads over all their features; comes out: the heads of each branch in "
                          "order, then those over all.");
}

}  // namespace hearth::layers
