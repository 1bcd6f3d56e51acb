// A matrix whose rows, or columns, are at right angles.
#include "hearth/nn/initializers/orthogonal.h"

#include <ATen/ops/empty_like.h>
#include <ATen/ops/linalg_qr.h>

#include "hearth/config/registry.h"
#include "hearth/nn/fan.h"
#include "hearth/nn/initializer.h"

namespace hearth::initializers {
namespace {

class Orthogonal : public Initializer {
 public:
  using Options = OrthogonalOptions;
  explicit Orthogonal(Options options) : options_(std::move(options)) {}
  [[nodiscard]] std::string misfit(at::IntArrayRef shape) const override {
    return shape.size() < 2 ? "it needs rows and columns, which a vector does not have" : "";
  }
  void fill(at::Tensor& values, const at::Generator& generator) const override {
    if (values.numel() == 0) return;
    const at::Tensor matrix = values.reshape({values.size(0), -1});
    const bool is_tall = matrix.size(0) >= matrix.size(1);
    const at::Tensor drawn = at::empty_like(matrix).normal_(0, 1, generator);
    const auto [turned, triangle] = at::linalg_qr(is_tall ? drawn : drawn.t());
    // Signs that make every such matrix equally likely.
    const at::Tensor directions = turned.mul(triangle.diagonal().sign());
    values.copy_((is_tall ? directions : directions.t()).reshape(values.sizes()));
    values.mul_(options_.gain);
  }

 private:
  Options options_;
};

}  // namespace

const Schema<OrthogonalOptions>& OrthogonalOptions::schema() {
  using O = OrthogonalOptions;
  static const auto fields = Schema<O>().field(&O::gain, "gain", kGainHelp, above(0));
  return fields;
}

Choice<Initializer> orthogonal(OrthogonalOptions options) {
  return choose<Initializer>("orthogonal", options);
}

void register_orthogonal(Registry<Initializer>& initializers) {
  initializers.add<Orthogonal>(
      "orthogonal", "A matrix whose rows, or columns, are at right angles and of equal length.");
}

}  // namespace hearth::initializers
