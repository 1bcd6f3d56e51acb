// A table of learned rows for each of several categories, and for pairs of them; what comes out is
// one row of numbers.
#include "hearth/nn/layers/category_embedding.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/embedding.h>

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/nn/init.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

constexpr int64_t kMostNumbersOfCategory = 50;

class CategoryEmbedding : public Layer {
 public:
  using Options = CategoryEmbeddingOptions;
  explicit CategoryEmbedding(CategoryEmbeddingOptions options) : options_(std::move(options)) {}

 protected:
  std::vector<Spec> prepare(std::span<const Spec> inputs, const BuildContext& context) override {
    tables_.clear();
    Spec output;
    output.shape = {0};
    for (size_t i = 0; i < inputs.size(); ++i) {
      require_category(context, inputs[i]);
      add_table(context, {i, i, 0}, inputs[i].classes, output);
    }
    for (size_t i = 0; options_.pairs && i < inputs.size(); ++i)
      for (size_t k = i + 1; k < inputs.size(); ++k)
        add_table(context, {i, k, inputs[k].classes}, inputs[i].classes * inputs[k].classes,
                  output);
    return {output};
  }

  void forward(std::span<const at::Tensor> inputs, std::span<at::Tensor> outputs) override {
    std::vector<at::Tensor> rows;
    for (const Table& table : tables_) {
      const at::Tensor& first = inputs[table.first];
      const at::Tensor number =
          table.seconds == 0 ? first : first.mul(table.seconds).add(inputs[table.second]);
      rows.push_back(at::embedding(table.weight, number));
    }
    if (options_.combine == "concat") {
      outputs[0] = rows.size() == 1 ? rows.front() : at::cat(rows, 1);
      return;
    }
    outputs[0] = rows.front();
    for (size_t i = 1; i < rows.size(); ++i) outputs[0] = outputs[0].add(rows[i]);
  }

 private:
  struct Table {
    size_t first = 0;
    size_t second = 0;    // of a pair
    int64_t seconds = 0;  // classes of the second; 0 for one category
    at::Tensor weight = {};
  };

  static void require_category(const BuildContext& context, const Spec& input) {
    if (input.dtype == DType::kInt64 && input.shape.empty() && input.classes > 0) return;
    throw_input_error(context, "category_embedding", "categories, int64 [B] of a known number",
                      input, "Name keys that hold categories of a table or class numbers.");
  }

  void add_table(const BuildContext& context, Table table, int64_t entries, Spec& output) {
    const int64_t size =
        options_.size.value_or(std::min((entries + 1) / 2, kMostNumbersOfCategory));
    std::string name = std::to_string(table.first);
    if (table.seconds > 0) name += "_" + std::to_string(table.second);
    name = "weight_" + name;
    // Sums of several rows of a linear model begin with nothing; rows by themselves must differ.
    const double deviation = options_.combine == "sum" ? 0.01 : 1;
    table.weight = add_parameter(name, normal(context, name, {entries, size}, deviation));
    tables_.push_back(std::move(table));
    output.shape[0] = options_.combine == "sum" ? size : output.shape[0] + size;
  }

  CategoryEmbeddingOptions options_;
  std::vector<Table> tables_;
};

}  // namespace

const Schema<CategoryEmbeddingOptions>& CategoryEmbeddingOptions::schema() {
  using O = CategoryEmbeddingOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::size, "size",
                 "Numbers for each category. Left out: half as many as there are categories, at "
                 "most 50.",
                 at_least(1))
          .field(&O::combine, "combine",
                 "Rows of several inputs stand behind each other, `concat`, or are added, `sum`.",
                 one_of({"concat", "sum"}))
          .field(&O::pairs, "pairs",
                 "Every pair of inputs has rows of its own too, one for each combination.")
          .check("rows that are added need one size; say size.", [](const O& options) {
            return options.combine == "concat" || options.size.has_value();
          });
  return fields;
}

Choice<Layer> category_embedding(CategoryEmbeddingOptions options) {
  return choose<Layer>("category_embedding", options);
}

void register_category_embedding(Registry<Layer>& layers) {
  layers.add<CategoryEmbedding>("category_embedding",
                                "A learned row of numbers for each category of one or several "
                                "keys, int64 [B], and for pairs of them.");
}

}  // namespace hearth::layers
