// The five blocks of inception_v3; children are named as in torchvision's InceptionA to InceptionE.
#include "hearth/nn/blocks/inception_v3_block.h"

#include "hearth/config/registry.h"
#include "hearth/nn/channels.h"
#include "hearth/nn/inception.h"
#include "hearth/nn/layers/composition/concat.h"
#include "hearth/nn/layers/pooling/average_pool2d.h"
#include "hearth/nn/layers/pooling/max_pool2d.h"
#include "hearth/nn/requirements.h"

namespace hearth::layers {
namespace {

constexpr const char* kInceptionInput = "input";

// Branches from the input, joined in the order in which they end.
class InceptionBranches {
 public:
  explicit InceptionBranches(double width_mult) : width_mult_(width_mult) {}

  // A convolution that keeps the sides, after the one called `after`.
  void add(const std::string& name, const std::string& after, int64_t channels,
           Sides<2> kernel_size = 1) {
    add(name, after,
        {.out_channels = scaled_channels(channels, width_mult_),
         .kernel_size = kernel_size,
         .padding = {kernel_size[0] / 2, kernel_size[1] / 2}});
  }
  // One of 3x3 that halves them.
  void halve(const std::string& name, const std::string& after, int64_t channels) {
    add(name, after,
        {.out_channels = scaled_channels(channels, width_mult_), .kernel_size = 3, .stride = 2});
  }
  void average() {
    nodes_.push_back(wired(average_pool2d({.kernel_size = 3, .stride = 1, .padding = 1}),
                           {kInceptionInput}, {}, "pool"));
  }
  void largest() {
    nodes_.push_back(
        wired(max_pool2d({.kernel_size = 3, .stride = 2}), {kInceptionInput}, {}, "pool"));
  }
  Description joined(const std::vector<std::string>& ends) {
    nodes_.push_back(wired(concat(), ends, {}, "output"));
    return described({kInceptionInput}, nodes_);
  }

 private:
  void add(const std::string& name, const std::string& after, const BasicConvolution& form) {
    nodes_.push_back(wired(basic_convolution(form), {after}, {}, name));
  }

  double width_mult_;
  std::vector<Choice<Layer>> nodes_;
};

Description inception_a(InceptionBranches branches, int64_t pool_features) {
  branches.add("branch1x1", kInceptionInput, 64);
  branches.add("branch5x5_1", kInceptionInput, 48);
  branches.add("branch5x5_2", "branch5x5_1", 64, 5);
  branches.add("branch3x3dbl_1", kInceptionInput, 64);
  branches.add("branch3x3dbl_2", "branch3x3dbl_1", 96, 3);
  branches.add("branch3x3dbl_3", "branch3x3dbl_2", 96, 3);
  branches.average();
  branches.add("branch_pool", "pool", pool_features);
  return branches.joined({"branch1x1", "branch5x5_2", "branch3x3dbl_3", "branch_pool"});
}

Description inception_b(InceptionBranches branches) {
  branches.halve("branch3x3", kInceptionInput, 384);
  branches.add("branch3x3dbl_1", kInceptionInput, 64);
  branches.add("branch3x3dbl_2", "branch3x3dbl_1", 96, 3);
  branches.halve("branch3x3dbl_3", "branch3x3dbl_2", 96);
  branches.largest();
  return branches.joined({"branch3x3", "branch3x3dbl_3", "pool"});
}

Description inception_c(InceptionBranches branches, int64_t narrow) {
  branches.add("branch1x1", kInceptionInput, 192);
  branches.add("branch7x7_1", kInceptionInput, narrow);
  branches.add("branch7x7_2", "branch7x7_1", narrow, {1, 7});
  branches.add("branch7x7_3", "branch7x7_2", 192, {7, 1});
  branches.add("branch7x7dbl_1", kInceptionInput, narrow);
  branches.add("branch7x7dbl_2", "branch7x7dbl_1", narrow, {7, 1});
  branches.add("branch7x7dbl_3", "branch7x7dbl_2", narrow, {1, 7});
  branches.add("branch7x7dbl_4", "branch7x7dbl_3", narrow, {7, 1});
  branches.add("branch7x7dbl_5", "branch7x7dbl_4", 192, {1, 7});
  branches.average();
  branches.add("branch_pool", "pool", 192);
  return branches.joined({"branch1x1", "branch7x7_3", "branch7x7dbl_5", "branch_pool"});
}

Description inception_d(InceptionBranches branches) {
  branches.add("branch3x3_1", kInceptionInput, 192);
  branches.halve("branch3x3_2", "branch3x3_1", 320);
  branches.add("branch7x7x3_1", kInceptionInput, 192);
  branches.add("branch7x7x3_2", "branch7x7x3_1", 192, {1, 7});
  branches.add("branch7x7x3_3", "branch7x7x3_2", 192, {7, 1});
  branches.halve("branch7x7x3_4", "branch7x7x3_3", 192);
  branches.largest();
  return branches.joined({"branch3x3_2", "branch7x7x3_4", "pool"});
}

Description inception_e(InceptionBranches branches) {
  branches.add("branch1x1", kInceptionInput, 320);
  branches.add("branch3x3_1", kInceptionInput, 384);
  branches.add("branch3x3_2a", "branch3x3_1", 384, {1, 3});
  branches.add("branch3x3_2b", "branch3x3_1", 384, {3, 1});
  branches.add("branch3x3dbl_1", kInceptionInput, 448);
  branches.add("branch3x3dbl_2", "branch3x3dbl_1", 384, 3);
  branches.add("branch3x3dbl_3a", "branch3x3dbl_2", 384, {1, 3});
  branches.add("branch3x3dbl_3b", "branch3x3dbl_2", 384, {3, 1});
  branches.average();
  branches.add("branch_pool", "pool", 192);
  return branches.joined({"branch1x1", "branch3x3_2a", "branch3x3_2b", "branch3x3dbl_3a",
                          "branch3x3dbl_3b", "branch_pool"});
}

class InceptionV3Block : public Layer {
 public:
  using Options = InceptionV3BlockOptions;
  explicit InceptionV3Block(InceptionV3BlockOptions options) : options_(std::move(options)) {}

 protected:
  Description describe(std::span<const Spec> inputs, const BuildContext& context) override {
    require_image(context, "inception_v3_block", inputs.front());
    const InceptionBranches branches(options_.width_mult);
    if (options_.form == "a") return inception_a(branches, options_.channels.value_or(64));
    if (options_.form == "b") return inception_b(branches);
    if (options_.form == "c") return inception_c(branches, options_.channels.value_or(192));
    if (options_.form == "d") return inception_d(branches);
    return inception_e(branches);
  }

 private:
  InceptionV3BlockOptions options_;
};

}  // namespace

const Schema<InceptionV3BlockOptions>& InceptionV3BlockOptions::schema() {
  using O = InceptionV3BlockOptions;
  static const auto fields =
      Schema<O>()
          .field(&O::form, "form",
                 "Which of the five: a with windows of 3 and 5, c with those of 7, e with wide "
                 "ones; b and d halve the sides.",
                 one_of({"a", "b", "c", "d", "e"}))
          .field(&O::channels, "channels",
                 "Of form a, the channels after the pool, 64 when left out; of form c, those of "
                 "the windows of 7, 192 when left out.",
                 at_least(1))
          .field(&O::width_mult, "width_mult", kWidthHelp, size_factor())
          .check("channels is for the forms a and c.", [](const O& options) {
            return !options.channels || options.form == "a" || options.form == "c";
          });
  return fields;
}

Choice<Layer> inception_v3_block(InceptionV3BlockOptions options) {
  return choose<Layer>("inception_v3_block", options);
}

void register_inception_v3_block(Registry<Layer>& layers) {
  layers.add<InceptionV3Block>("inception_v3_block",
                               "Branches of convolutions and a pool, joined by channels: the five "
                               "blocks of inception_v3.");
}

}  // namespace hearth::layers
