// Normal numbers, most of which are zero.
#include "hearth/nn/initializers/sparse.h"

#include <ATen/ops/randperm.h>

#include <cmath>

#include "hearth/config/registry.h"
#include "hearth/nn/initializer.h"

namespace hearth::initializers {
namespace {

class Sparse : public Initializer {
 public:
  using Options = SparseOptions;
  explicit Sparse(Options options) : options_(std::move(options)) {}
  [[nodiscard]] std::string misfit(at::IntArrayRef shape) const override {
    return shape.size() != 2 ? "it fills matrices of two dimensions" : "";
  }
  void fill(at::Tensor& values, const at::Generator& generator) const override {
    values.normal_(0, options_.std, generator);
    const auto zeros =
        static_cast<int64_t>(std::ceil(options_.sparsity * static_cast<double>(values.size(0))));
    for (int64_t column = 0; column < values.size(1); ++column) {
      const at::Tensor order = at::randperm(values.size(0), generator, at::kLong);
      values.select(1, column).index_fill_(0, order.narrow(0, 0, zeros), 0);
    }
  }

 private:
  Options options_;
};

}  // namespace

const Schema<SparseOptions>& SparseOptions::schema() {
  using O = SparseOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::sparsity, "sparsity", "Share of each column that is zero.", at_least(0),
                 at_most(1))
          .field(&O::std, "std", "Standard deviation of the others.", at_least(0));
  return fields;
}

Choice<Initializer> sparse(SparseOptions options) { return choose<Initializer>("sparse", options); }

void register_sparse(Registry<Initializer>& initializers) {
  initializers.add<Sparse>("sparse", "Normal numbers, of which a share in each column is zero.");
}

}  // namespace hearth::initializers
