// Radford et al., Unsupervised Representation Learning with Deep Convolutional GANs: what both
// sides have in common.
#include "hearth/nn/dcgan.h"

#include "hearth/nn/initializers/normal.h"
#include "hearth/nn/initializers/zeros.h"
#include "hearth/nn/layer_init.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/normalization/batch_norm2d.h"

namespace hearth {
namespace {

constexpr double kDcganDeviation = 0.02;

}  // namespace

std::optional<int64_t> dcgan_doublings(int64_t side) {
  int64_t doublings = 0;
  for (int64_t reached = kDcganSmallestSide; reached < side; reached *= 2) ++doublings;
  if (doublings == 0 || kDcganSmallestSide << doublings != side) return std::nullopt;
  return doublings;
}

std::string DcganStages::next() const { return std::to_string(layers_.size()); }

void DcganStages::add(const Choice<Layer>& convolution) {
  first_.emplace_back(next() + ".weight", initializers::normal({.std = kDcganDeviation}));
  layers_.push_back(convolution);
}

void DcganStages::add_norm() {
  first_.emplace_back(next() + ".weight",
                      initializers::normal({.mean = 1, .std = kDcganDeviation}));
  first_.emplace_back(next() + ".bias", initializers::zeros());
  layers_.push_back(layers::batch_norm2d());
}

void DcganStages::add_activation(const Choice<Layer>& activation) { layers_.push_back(activation); }

Choice<Layer> DcganStages::layer() const {
  return starting_with(layers::sequential({layers_}), first_);
}

}  // namespace hearth
