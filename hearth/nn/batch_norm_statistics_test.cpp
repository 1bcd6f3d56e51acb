// Statistics of batch norms that are begun anew are those that PyTorch's update_bn finds.
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>

#include "hearth/nn/batch_norm_layer.h"
#include "hearth/nn/layer_fixture.h"
#include "hearth/nn/layers/activation/relu.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/normalization/batch_norm1d.h"
#include "hearth/nn/layers/normalization/batch_norm2d.h"
#include "hearth/nn/layers/shape/flatten.h"
#include "tests/parity/parity.h"

namespace hearth {
namespace {

void load_weights(const Layer& layer, const nlohmann::json& weights) {
  for (const auto& [name, parameter] : layer.parameters())
    parameter.detach().copy_(parity_tensor(weights.at(name)));
}

TEST(BatchNormStatistics, AreTheMeanOfAllBatchesAsByUpdateBn) {
  const c10::AutoGradMode no_gradients(false);
  const auto truth = load_parity("statistics.json");
  for (const Kernels kernels : {Kernels::kFast, Kernels::kPlain}) {
    BuildContext context{7, "net", 0};
    context.kernels = kernels;
    const auto layer = built(
        layers::sequential(
            {.layers = {layers::batch_norm2d({.momentum = 0.3}), layers::relu(), layers::flatten(),
                        layers::linear({.out_features = 3}), layers::batch_norm1d()}}),
        float_spec({2, 2, 3}), context);
    load_weights(*layer, truth.at("weights"));
    (void)(*layer)(random_batch({2, 2, 3}));  // what was there before does not matter
    std::vector<BatchNormOfChannels*> norms;
    for (const auto& [name, child] : layer->children())
      if (auto* norm = dynamic_cast<BatchNormOfChannels*>(child)) norms.push_back(norm);
    ASSERT_EQ(norms.size(), 2U);
    for (BatchNormOfChannels* norm : norms) norm->begin_statistics();
    for (const auto& batch : truth.at("batches")) (void)(*layer)(parity_tensor(batch));
    for (const auto& [name, buffer] : layer->buffers())
      expect_near(buffer.to(at::kFloat), parity_tensor(truth.at("buffers").at(name)), 2e-6);
    for (BatchNormOfChannels* norm : norms) norm->end_statistics();
    const at::Tensor before = layer->buffers()[0].second.clone();
    (void)(*layer)(random_batch({2, 2, 3}));
    EXPECT_GT(layer->buffers()[0].second.sub(before).abs().max().item<double>(), 0);
  }
}

}  // namespace
}  // namespace hearth
