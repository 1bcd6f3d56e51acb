// Tests of loading weights: names brought together, all that does not fit told at once.
#include "hearth/train/load_weights.h"

#include <ATen/ops/full.h>
#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/message_of_test.h"
#include "hearth/config/registry.h"
#include "hearth/network/model.h"
#include "hearth/nn/blocks/dense_block.h"
#include "hearth/nn/layers/composition/graph.h"
#include "hearth/nn/layers/composition/sequential.h"
#include "hearth/nn/layers/convolution/conv2d.h"
#include "hearth/nn/layers/linear.h"
#include "hearth/nn/layers/shape/flatten.h"
#include "hearth/train/checkpoint.h"

namespace hearth {
namespace {

class LoadWeights : public testing::Test {
 protected:
  LoadWeights() {
    make_folder(folder_);
    build(layers::sequential({{layers::conv2d({.out_channels = 2, .kernel_size = 3}),
                               layers::flatten(), layers::linear({.out_features = 3})}}),
          {1, 4, 4});
  }
  ~LoadWeights() override { fs::remove_all(folder_); }

  void build(const Choice<Layer>& layer, std::vector<int64_t> shape) {
    ModelOptions options;
    options.build = layer;
    model_ = std::make_unique<Model>("net", options);
    Spec input;
    input.shape = std::move(shape);
    (void)model_->build(input, 7, 3, at::kCPU);
  }

  // The model's own tensors with other names and values; `change` may do more.
  std::string file_of(const std::string& prefix, double value,
                      const std::function<void(std::vector<NamedTensor>&)>& change = {}) {
    std::vector<NamedTensor> tensors;
    for (const auto& [name, tensor] : model_->layer().parameters())
      tensors.emplace_back(prefix + name, at::full(tensor.sizes(), value));
    if (change) change(tensors);
    const fs::path path = folder_ / "w.safetensors";
    write_tensors(path, tensors, {.has_digest = false});
    return path;
  }

  [[nodiscard]] at::Tensor value(const std::string& wanted) {
    for (const auto& [name, tensor] : model_->layer().parameters())
      if (name == wanted) return tensor.detach();
    return {};
  }

  fs::path folder_ = fs::temp_directory_path() / ("hearth_load_" + std::to_string(getpid()));
  std::unique_ptr<Model> model_;
};

TEST_F(LoadWeights, TakesAllThatFits) {
  const WeightReport report = load_weights(*model_, {.file = file_of("", 0.5)});
  EXPECT_EQ(report.text(), "w.safetensors: 4 of 4 tensors of the model");
  EXPECT_EQ(value("0.weight").min().item<float>(), 0.5F);
  EXPECT_EQ(value("2.bias").max().item<float>(), 0.5F);
}

TEST_F(LoadWeights, StripsAPrefixAndRenames) {
  const auto rename = [](std::vector<NamedTensor>& tensors) {
    for (auto& [name, tensor] : tensors)
      if (name.starts_with("module.0.")) name.replace(7, 1, "stem");
  };
  const WeightReport report = load_weights(*model_, {.file = file_of("module.", 0.25, rename),
                                                     .prefix = "module.",
                                                     .rename = {{"stem.*", "0.*"}}});
  EXPECT_EQ(report.loaded, 4U);
  EXPECT_EQ(value("0.weight").max().item<float>(), 0.25F);
}

TEST_F(LoadWeights, SaysAllThatDoesNotFitAndTheNearest) {
  const auto change = [](std::vector<NamedTensor>& tensors) {
    tensors[0].first = "0.weigth";
    tensors[3].second = at::full({5}, 1.0);
  };
  const std::string file = file_of("", 1, change);
  EXPECT_EQ(message_of<ConfigError>([&] { load_weights(*model_, {.file = file}); }),
            "w.safetensors does not fit the model:\n"
            "  the file lacks:\n    0.weight (nearest: 0.weigth)\n"
            "  only the file has:\n    0.weigth (nearest: 0.weight)\n"
            "  of another shape:\n    2.bias: [3] in the model, [5] in the file\n"
            "  Say rename or prefix to bring names together, new_head or channels for other "
            "classes or channels, fresh for what shall be new, or allow what need not fit.");
  EXPECT_EQ(load_weights(*model_, {.file = file, .strict = false}).loaded, 2U);
  EXPECT_EQ(
      load_weights(*model_, {.file = file, .allow = {"missing", "unexpected", "shapes"}}).missing,
      std::vector<std::string>{"0.weight"});
}

TEST_F(LoadWeights, GivesTheHeadFreshValuesAndTheFirstConvolutionOtherChannels) {
  const at::Tensor before = value("2.weight").clone();
  const auto change = [](std::vector<NamedTensor>& tensors) {
    tensors[0].second = at::full({2, 3, 3, 3}, 1.0);
    tensors[2].second = at::full({10, 8}, 1.0);
    tensors[3].second = at::full({10}, 1.0);
  };
  const WeightReport report =
      load_weights(*model_, {.file = file_of("", 1, change), .new_head = true, .channels = "sum"});
  EXPECT_EQ(report.fresh, (std::vector<std::string>{"2.weight", "2.bias"}));
  EXPECT_EQ(report.adapted, std::vector<std::string>{"0.weight from 3 channels to 1 by sum"});
  EXPECT_EQ(value("0.weight").min().item<float>(), 3);
  EXPECT_TRUE(value("2.weight").equal(before));
}

TEST_F(LoadWeights, GivesEveryHeadFreshValues) {
  const auto scores = [](const std::string& name, int64_t classes) {
    return wired(layers::linear({.out_features = classes}), {"trunk"}, {}, name);
  };
  build(layers::graph({.nodes = {named(layers::linear({.out_features = 4}), "trunk"),
                                 scores("color", 3), scores("shape", 2)},
                       .outputs = {"color", "shape"}}),
        {5});
  const auto change = [](std::vector<NamedTensor>& tensors) {
    for (auto& [name, tensor] : tensors)
      if (name == "color.weight") tensor = at::full({9, 4}, 1.0);
  };
  const std::string file = file_of("", 1, change);
  const WeightReport report = load_weights(*model_, {.file = file, .new_head = true});
  EXPECT_EQ(report.fresh, std::vector<std::string>{"color.weight"});
  EXPECT_EQ(report.loaded, 5U);
  EXPECT_THROW(load_weights(*model_, {.file = file}), ConfigError);
}

TEST_F(LoadWeights, KnowsOlderNamesOfTorchvisionsFiles) {
  build(layers::dense_block({.layers = 1, .growth_rate = 2}), {4, 4, 4});
  const auto rename = [&](std::vector<NamedTensor>& tensors) {
    for (const auto& [name, tensor] : model_->layer().buffers())
      tensors.emplace_back(name, tensor.clone());
    for (auto& [name, tensor] : tensors)
      for (const char* now : {"norm1", "norm2", "conv1", "conv2"})
        if (const size_t found = name.find(now); found != name.npos) name.insert(found + 4, ".");
  };
  const WeightReport report = load_weights(*model_, {.file = file_of("", 0.5, rename)});
  EXPECT_EQ(report.loaded, report.wanted);
  EXPECT_TRUE(report.unexpected.empty());
  EXPECT_EQ(value("denselayer1.conv2.weight").min().item<float>(), 0.5F);
}

TEST_F(LoadWeights, TakesWhatIsOptionalWhereTheFileHasIt) {
  const std::string file =
      file_of("", 0.5, [](std::vector<NamedTensor>& tensors) { tensors.pop_back(); });
  const WeightReport report = load_weights(*model_, {.file = file, .optional = {"2.*"}});
  EXPECT_EQ(report.fresh, std::vector<std::string>{"2.bias"});
  EXPECT_EQ(report.loaded, 3U);
  EXPECT_EQ(value("2.weight").max().item<float>(), 0.5F);
  EXPECT_THROW(load_weights(*model_, {.file = file, .optional = {"0.*"}}), ConfigError);
}

TEST_F(LoadWeights, ConvertsNumbersAndSaysSo) {
  const auto change = [](std::vector<NamedTensor>& tensors) {
    for (auto& [name, tensor] : tensors) tensor = tensor.to(at::kHalf);
    tensors.emplace_back("1.num_batches_tracked", at::full({}, 4, at::kLong));
  };
  const WeightReport report = load_weights(*model_, {.file = file_of("", 0.5, change)});
  EXPECT_EQ(report.converted, std::vector<std::string>{"float16 to float32"});
  EXPECT_EQ(value("0.bias").max().item<float>(), 0.5F);
}

TEST(Renamed, TakesWhatStarsStandForFromTheLongestPatternThatFits) {
  const std::map<std::string, std::string> rules = {
      {"encoder.*", "features.*"}, {"encoder.layer.*.attn.*", "h.*.self.*"}, {"head", "fc"}};
  EXPECT_EQ(renamed("encoder.0.weight", rules), "features.0.weight");
  EXPECT_EQ(renamed("encoder.layer.3.attn.bias", rules), "h.3.self.bias");
  EXPECT_EQ(renamed("head", rules), "fc");
  EXPECT_EQ(renamed("other", rules), "other");
}

}  // namespace
}  // namespace hearth
