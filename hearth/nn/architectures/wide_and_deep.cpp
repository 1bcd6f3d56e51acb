// Cheng et al., Wide & Deep Learning: a linear model of columns and of pairs of categories, which
// remembers, and beside it a network over embedded categories and numbers, which generalizes.
#include "hearth/nn/architectures/wide_and_deep.h"

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/nn/layer.h"
#include "hearth/nn/layers/activation/relu.h"
#include "hearth/nn/layers/category_embedding.h"
#include "hearth/nn/layers/composition/add.h"
#include "hearth/nn/layers/composition/concat.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/regularization/dropout.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

class WideAndDeep : public Layer {
 public:
  using Options = WideAndDeepOptions;
  explicit WideAndDeep(WideAndDeepOptions options) : options_(std::move(options)) {}

 protected:
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    const bool counts_classes = !options_.out_features;
    const int64_t out = require_classes(
        context, {"wide_and_deep", "out_features", options_.out_features, options_.classes_of});
    Columns columns = sorted(inputs, context);
    std::vector<Choice<Layer>> nodes;
    std::vector<std::string> parts;
    add_wide(columns, out, nodes, parts);
    add_deep(columns, out, nodes, parts);
    nodes.push_back(wired(add(), parts, {}, "sum"));
    Description description = described(columns.all, nodes);
    if (counts_classes) description.classes = out;
    return description;
  }

 private:
  // Names of the inputs: all, those that hold numbers, and those that hold categories.
  struct Columns {
    std::vector<std::string> all = {};
    std::vector<std::string> numbers = {};
    std::vector<std::string> categories = {};
  };

  static Columns sorted(std::span<const Spec> inputs, const BuildContext& context) {
    Columns columns;
    for (const Spec& input : inputs) {
      columns.all.push_back("column" + std::to_string(columns.all.size()));
      const bool is_category = input.dtype == DType::kInt64;
      if (!is_category && input.shape.size() != 1)
        throw_input_error(context, "wide_and_deep",
                          "rows of numbers, float [B, F], and categories, int64 [B]", input,
                          "Name the keys of a table, such as in: [features, city].");
      (is_category ? columns.categories : columns.numbers).push_back(columns.all.back());
    }
    return columns;
  }

  void add_wide(const Columns& columns, int64_t out, std::vector<Choice<Layer>>& nodes,
                std::vector<std::string>& parts) const {
    for (const std::string& name : columns.numbers) {
      nodes.push_back(wired(linear({.out_features = out}), {name}, {}, "wide_" + name));
      parts.push_back("wide_" + name);
    }
    if (columns.categories.empty()) return;
    nodes.push_back(
        wired(category_embedding({.size = out, .combine = "sum", .pairs = options_.pairs}),
              columns.categories, {}, "wide"));
    parts.emplace_back("wide");
  }

  void add_deep(const Columns& columns, int64_t out, std::vector<Choice<Layer>>& nodes,
                std::vector<std::string>& parts) const {
    std::vector<std::string> features = columns.numbers;
    if (!columns.categories.empty()) {
      nodes.push_back(wired(category_embedding({.size = options_.embedding_size}),
                            columns.categories, {}, "embedding"));
      features.emplace_back("embedding");
    }
    if (features.size() > 1) {
      nodes.push_back(wired(concat(), features, {}, "features"));
      features = {"features"};
    }
    SequentialOptions all;
    for (const int64_t size : options_.hidden) {
      all.layers.push_back(linear({.out_features = size}));
      all.layers.push_back(relu());
      if (options_.dropout > 0) all.layers.push_back(dropout({options_.dropout}));
    }
    all.layers.push_back(linear({.out_features = out}));
    nodes.push_back(wired(sequential(all), features, {}, "deep"));
    parts.emplace_back("deep");
  }

  WideAndDeepOptions options_;
};

}  // namespace

const Schema<WideAndDeepOptions>& WideAndDeepOptions::schema() {
  using O = WideAndDeepOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::hidden, "hidden", "Sizes of the deep side's hidden layers.", at_least(1))
          .field(&O::embedding_size, "embedding_size",
                 "Numbers for each category on the deep side. Left out: half as many as there are "
                 "categories, at most 50.",
                 at_least(1))
          .field(&O::pairs, "pairs",
                 "The wide side also has a weight for each combination of two categories.")
          .field(&O::dropout, "dropout", "Share of hidden values dropped while training.",
                 at_least(0), below(1))
          .field(&O::out_features, "out_features",
                 "Numbers that come out; the data's number of classes when left out.", at_least(1))
          .field(&O::classes_of, "classes_of",
                 "The key whose number of classes it is, when the data has several.", not_empty());
  return fields;
}

Choice<Layer> wide_and_deep(WideAndDeepOptions options) {
  return choose<Layer>("wide_and_deep", options);
}

void register_wide_and_deep(Registry<Layer>& layers) {
  layers.add<WideAndDeep>("wide_and_deep",
                          "For tables: a linear model of numbers, categories and their pairs, "
                          "added to a network over numbers and embedded categories.");
}

}  // namespace hearth::layers
