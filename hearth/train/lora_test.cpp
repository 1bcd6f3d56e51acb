// Low-rank parts: at first they add nothing, they learn alone, and they merge back exactly.
#include <ATen/ops/arange.h>
#include <ATen/ops/randn.h>
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>

#include <set>

#include "hearth/base/files.h"
#include "hearth/format/lora_merge.h"
#include "hearth/network/model.h"
#include "hearth/nn/architectures/gpt.h"
#include "hearth/nn/layers/attention/multihead_attention.h"
#include "hearth/nn/layers/composition/lora.h"
#include "hearth/train/checkpoint.h"
#include "hearth/train/load_weights.h"

namespace hearth {
namespace {

std::unique_ptr<Model> small_gpt(bool has_lora) {
  ModelOptions options;
  options.build = layers::gpt({.layers = 2, .width = 16, .heads = 2});
  if (has_lora) {
    LayerEdit wrap;
    wrap.wrap = WrapOptions{.at = "h.*", .with = layers::lora({.rank = 2}), .only = "linear"};
    LayerEdit rest;
    rest.train_only = {"*lora_a", "*lora_b"};
    options.edits = {wrap, rest};
  }
  auto model = std::make_unique<Model>("net", options);
  Spec input;
  input.shape = {6};
  input.dtype = DType::kInt64;
  input.role = Role::kTokens;
  input.classes = 11;
  (void)model->build(input, 3, 11, at::kCPU);
  model->layer().set_training(false);
  return model;
}

at::Tensor scores_of(Model& model) {
  const c10::AutoGradMode no_gradients(false);
  return model.layer()(at::arange(12).reshape({2, 6}).remainder(11));
}

TEST(Lora, AddsNothingAtFirstAndLearnsAlone) {
  const auto plain = small_gpt(false);
  const auto wrapped = small_gpt(true);
  EXPECT_TRUE(scores_of(*plain).equal(scores_of(*wrapped)));
  std::set<std::string> names;
  for (const auto& [name, tensor] : wrapped->layer().parameters()) {
    names.insert(name);
    EXPECT_EQ(tensor.requires_grad(), name.find("lora_") != name.npos) << name;
  }
  for (const auto& [name, tensor] : plain->layer().parameters())
    EXPECT_TRUE(names.contains(name)) << name;
  EXPECT_TRUE(names.contains("h.0.attn.c_attn.lora_a"));
  EXPECT_TRUE(names.contains("h.1.mlp.c_proj.lora_b"));
}

TEST(Lora, MergesBackIntoThePlainModel) {
  const auto wrapped = small_gpt(true);
  {
    const c10::AutoGradMode no_gradients(false);
    for (const auto& [name, tensor] : wrapped->layer().parameters())
      if (name.ends_with("lora_b")) tensor.copy_(at::randn(tensor.sizes()).mul(0.1));
  }
  const fs::path folder = fs::path(testing::TempDir()) / "lora_merge";
  make_folder(folder);
  write_tensors(folder / "lora.safetensors", wrapped->weights().part("model").tensors,
                {.has_digest = false});
  const WeightFile file(folder / "lora.safetensors");
  const MergedWeights merged = merged_weights(file, file);
  EXPECT_EQ(merged.merged.size(), 8U);
  write_weights(folder / "merged.pt", "pt", merged.tensors);
  const auto plain = small_gpt(false);
  const at::Tensor before = scores_of(*plain);
  EXPECT_EQ(load_weights(*plain, {.file = folder / "merged.pt"}).missing.size(), 0U);
  const at::Tensor expected = scores_of(*wrapped);
  EXPECT_GT(before.sub(expected).abs().max().item<double>(), 1e-3);
  EXPECT_LT(scores_of(*plain).sub(expected).abs().max().item<double>(), 1e-6);
}

std::unique_ptr<Model> small_attention(bool has_lora) {
  ModelOptions options;
  options.build = layers::multihead_attention({.heads = 2});
  if (has_lora) {
    LayerEdit wrap;
    wrap.wrap = WrapOptions{.at = "*_proj", .with = layers::lora({.rank = 2}), .only = "linear"};
    LayerEdit rest;
    rest.train_only = {"*lora_a", "*lora_b"};
    options.edits = {wrap, rest};
  }
  auto model = std::make_unique<Model>("net", options);
  Spec input;
  input.shape = {3, 4};
  (void)model->build(input, 3, 0, at::kCPU);
  model->layer().set_training(false);
  return model;
}

TEST(Lora, ReachesThePackedWeightOfAttention) {
  const auto plain = small_attention(false);
  const auto wrapped = small_attention(true);
  const c10::AutoGradMode no_gradients(false);
  const at::Tensor input = at::randn({2, 3, 4});
  EXPECT_TRUE(plain->layer()(input).allclose(wrapped->layer()(input), 1e-6, 1e-7));
  int64_t drawn = 0;
  for (const auto& [name, tensor] : wrapped->layer().parameters()) {
    EXPECT_EQ(tensor.requires_grad(), name.find("lora_") != name.npos) << name;
    if (!name.ends_with("lora_b")) continue;
    tensor.copy_(at::randn(tensor.sizes()).mul(0.3));
    ++drawn;
  }
  EXPECT_EQ(drawn, 2);  // of in_proj and out_proj
  const fs::path folder = fs::path(testing::TempDir()) / "lora_attention";
  make_folder(folder);
  write_tensors(folder / "lora.safetensors", wrapped->weights().part("model").tensors,
                {.has_digest = false});
  const WeightFile file(folder / "lora.safetensors");
  const MergedWeights merged = merged_weights(file, file);
  EXPECT_EQ(merged.merged.size(), 2U);
  write_weights(folder / "merged.pt", "pt", merged.tensors);
  const at::Tensor before = plain->layer()(input);
  EXPECT_EQ(load_weights(*plain, {.file = folder / "merged.pt"}).missing.size(), 0U);
  const at::Tensor expected = wrapped->layer()(input);
  EXPECT_GT(before.sub(expected).abs().max().item<double>(), 1e-3);
  EXPECT_LT(plain->layer()(input).sub(expected).abs().max().item<double>(), 1e-5);
}

}  // namespace
}  // namespace hearth
