// Hooks on a residual network with fast kernels: they see what the plain path computes, and only
// the layers they listen to are computed by themselves.
#include <set>

#include "hearth/nn/time_profile.h"
#include "tests/kernels/five_networks.h"

namespace hearth {
namespace {

// Everything that went through hooks, by the layer's path, in the order of its calls.
using Heard = std::map<std::string, std::vector<at::Tensor>>;

void all_layers(Layer& layer, std::vector<Layer*>& found) {
  found.push_back(&layer);
  for (const auto& [name, child] : layer.children()) all_layers(*child, found);
}

class Hooks : public testing::Test {
 protected:
  static at::Tensor image() {
    const NetworkCase& tried = five_networks().at("resnet20");
    return batch_of(tried, *source_of(tried), 0, 4).at("image");
  }

  static void listen(Layer& layer, bool is_before, Heard& heard) {
    const auto hook = [&heard](const Layer& called, at::Tensor& value) {
      heard[called.path()].push_back(value.detach());
    };
    if (is_before)
      layer.add_hook_before(hook);
    else
      layer.add_hook_after(hook);
  }

  static std::vector<Layer*> layers_of(Training& training) {
    std::vector<Layer*> layers;
    all_layers(training.model().layer(), layers);
    training.model().layer().set_training(true);
    return layers;
  }

  Heard plain_values(bool is_before) {
    Heard heard;
    for (Layer* layer : layers_of(plain_)) listen(*layer, is_before, heard);
    (void)plain_.model().layer()(image());
    plain_.model().layer().clear_hooks();
    return heard;
  }

  Training plain_{"resnet20", Kernels::kPlain};
  Training fast_{"resnet20", Kernels::kFast};
};

void expect_same_values(const std::vector<at::Tensor>& found,
                        const std::vector<at::Tensor>& expected, const std::string& path) {
  ASSERT_EQ(found.size(), expected.size()) << path;
  for (size_t i = 0; i < found.size(); ++i) {
    ASSERT_EQ(found[i].sizes(), expected[i].sizes()) << path;
    EXPECT_EQ(found[i].layout(), at::kStrided) << path;
    EXPECT_EQ(found[i].scalar_type(), at::kFloat) << path;
    const double scale = std::max(expected[i].abs().max().item<double>(), 1.0);
    EXPECT_LT(found[i].sub(expected[i]).abs().max().item<double>(), 1e-4 * scale) << path;
  }
}

TEST_F(Hooks, OnAnyLayerSeeThePlainValues) {
  for (const bool is_before : {true, false}) {
    const Heard expected = plain_values(is_before);
    for (Layer* layer : layers_of(fast_)) {
      Heard heard;
      listen(*layer, is_before, heard);
      (void)fast_.model().layer()(image());
      fast_.model().layer().clear_hooks();
      EXPECT_EQ(heard.size(), 1U);
      expect_same_values(heard[layer->path()], expected.at(layer->path()), layer->path());
    }
  }
}

TEST_F(Hooks, OnAllLayersAtOnceSeeThePlainValues) {
  const Heard expected = plain_values(false);
  Heard heard;
  for (Layer* layer : layers_of(fast_)) listen(*layer, false, heard);
  (void)fast_.model().layer()(image());
  ASSERT_EQ(heard.size(), expected.size());
  for (const auto& [path, values] : expected) expect_same_values(heard[path], values, path);
}

// A profile sees which layers are called by themselves, without changing it.
std::set<std::string> called_layers(Layer& network, const at::Tensor& image) {
  TimeProfile profile;
  network.set_profile(&profile);
  (void)network(image);
  network.set_profile(nullptr);
  std::set<std::string> called;
  for (const auto& [path, costs] : profile.costs())
    if (costs.calls > 0) called.insert(path);
  return called;
}

TEST_F(Hooks, PartOnlyTheLayersTheyListenTo) {
  const std::vector<Layer*> layers = layers_of(fast_);
  Layer& network = fast_.model().layer();
  const std::set<std::string> fused = called_layers(network, image());
  size_t parted = 0;
  for (Layer* layer : layers) {
    layer->add_hook_before([](const Layer&, at::Tensor&) {});
    std::set<std::string> expected = fused;
    parted += expected.insert(layer->path()).second ? 1 : 0;
    EXPECT_EQ(called_layers(network, image()), expected) << layer->path();
    network.clear_hooks();
  }
  EXPECT_EQ(parted, 19U);  // the relu of the network, the relu and the addition of each block
}

}  // namespace
}  // namespace hearth
