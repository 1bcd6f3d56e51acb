// What classifiers of images have in common.
#include "hearth/nn/classifier.h"

#include "hearth/nn/initializers/normal.h"
#include "hearth/nn/initializers/zeros.h"
#include "hearth/nn/layer_init.h"
#include "hearth/nn/layers/linear.h"

namespace hearth {

Choice<Layer> small_linear(int64_t out_features) {
  return starting_with(
      layers::linear({.out_features = out_features}),
      {{"weight", initializers::normal({.std = 0.01})}, {"bias", initializers::zeros()}});
}

}  // namespace hearth
