// Orders of weights in memory: what oneDNN's layouts mean, and parameters that change their form.
#include "hearth/kernels/weight/weight_order.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/empty_strided.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"
#include "hearth/kernels/weight/onednn_weight.h"

namespace hearth {
namespace {

using Tag = dnnl::memory::format_tag;

dnnl::memory::desc layout(const dnnl::memory::dims& sizes, Tag tag) {
  return {sizes, dnnl::memory::data_type::f32, tag};
}

// oneDNN's own copy of a weight in this layout must be what the order says.
void expect_order(const dnnl::memory::dims& sizes, Tag plain, Tag blocked) {
  const auto order = order_of_layout(layout(sizes, blocked));
  ASSERT_TRUE(order);
  const at::Tensor weight =
      at::arange(static_cast<int64_t>(layout(sizes, plain).get_size() / 4), at::kFloat);
  const at::Tensor packed = at::empty_strided(order->sizes, order->strides, at::kFloat);
  OnednnReorder(layout(sizes, plain), layout(sizes, blocked))
      .run(weight.data_ptr<float>(), packed.data_ptr<float>());
  EXPECT_TRUE(packed.reshape(-1).equal(weight));
  EXPECT_TRUE(packed.is_non_overlapping_and_dense());
}

TEST(WeightOrder, IsWhatOnednnDoes) {
  expect_order({32, 48, 3, 3}, Tag::oihw, Tag::OIhw16i16o);
  expect_order({32, 48, 3, 3}, Tag::oihw, Tag::OIhw16o16i);
  expect_order({16, 16, 1, 1}, Tag::oihw, Tag::OIhw16i16o);
  expect_order({24, 8, 5, 2}, Tag::oihw, Tag::OIhw8i8o);
  expect_order({64, 3, 7, 7}, Tag::oihw, Tag::Ohwi16o);
  expect_order({7, 5, 3, 2}, Tag::oihw, Tag::oihw);
  expect_order({7, 5, 3, 2}, Tag::oihw, Tag::hwio);
  expect_order({3, 16, 32, 3, 3}, Tag::goihw, Tag::gOIhw16i16o);
  expect_order({32, 1, 1, 3, 3}, Tag::goihw, Tag::Goihw16g);
}

TEST(WeightOrder, IsTheSameForLayoutsThatDifferInNameOnly) {
  const auto blocked = layout({16, 16, 3, 3}, Tag::OIhw16i16o);
  EXPECT_TRUE(are_same_places(blocked, layout({16, 16, 3, 3}, Tag::Ohwi16o)));
  EXPECT_FALSE(are_same_places(blocked, layout({16, 16, 3, 3}, Tag::OIhw16o16i)));
  EXPECT_FALSE(are_same_places(layout({16, 32, 3, 3}, Tag::OIhw16i16o),
                               layout({16, 32, 3, 3}, Tag::Ohwi16o)));
}

TEST(WeightOrder, IsNoneWhereChannelsAreFilledUpOrBlockedTwice) {
  EXPECT_FALSE(order_of_layout(layout({20, 16, 3, 3}, Tag::OIhw16i16o)));
  EXPECT_FALSE(order_of_layout(layout({16, 3, 3, 3}, Tag::OIhw16i16o)));
  EXPECT_FALSE(order_of_layout(layout({32, 32, 3, 3}, Tag::OIhw4i16o4i)));
}

const WeightOrder kOrder = *order_of_layout(layout({32, 16, 3, 3}, Tag::OIhw8i8o));

TEST(PackedParameter, KeepsItsIdentityAndItsValuesAndComesBackOrdinary) {
  const at::Tensor parameter = at::randn({32, 16, 3, 3}).set_requires_grad(true);
  const at::Tensor other_handle = parameter;
  const at::Tensor before = parameter.detach().clone();
  parameter.mutable_grad() = at::randn({32, 16, 3, 3});
  const at::Tensor gradient = parameter.grad().clone();
  pack_parameter(parameter, kOrder);
  EXPECT_TRUE(kOrder.is_order_of(other_handle));
  EXPECT_TRUE(kOrder.is_order_of(parameter.grad()));
  EXPECT_TRUE(parameter.is_leaf() && parameter.requires_grad());
  EXPECT_EQ(ordinary_sizes(parameter), (std::array<int64_t, 4>{32, 16, 3, 3}));
  EXPECT_TRUE(parameter.reshape(before.sizes()).equal(before));
  const void* memory = parameter.data_ptr();
  pack_parameter(parameter, kOrder);
  EXPECT_EQ(parameter.data_ptr(), memory) << "moved for nothing";
  unpack_parameter(parameter, before.sizes());
  EXPECT_TRUE(parameter.is_contiguous() && parameter.equal(before));
  EXPECT_TRUE(parameter.grad().equal(gradient));
}

TEST(PackedParameter, TakesItsGradientAlongThatHasAnotherForm) {
  const at::Tensor parameter = at::randn({32, 16, 3, 3}).set_requires_grad(true);
  const at::Tensor gradient = at::randn({32, 16, 3, 3});
  pack_parameter(parameter, kOrder);
  parameter.mutable_grad() = gradient;
  pack_parameter(parameter, kOrder);
  EXPECT_TRUE(kOrder.is_order_of(parameter.grad()));
  EXPECT_TRUE(parameter.grad().reshape({32, 16, 3, 3}).equal(gradient));
}

TEST(PackedParameter, HasTheDimensionsOfAConvolution) {
  EXPECT_EQ(message_of<InternalError>([] {
              (void)ordinary_sizes(at::randn({2, 3, 4}));
            }),
            "A convolution's weight has 3 dimensions; it needs 4, or 6 when it is packed.");
}

// A graph that still lives knows the shape the parameter had when it was made.
TEST(PackedParameter, LearnsInEveryFormWhileAnOldGraphLives) {
  const at::Tensor parameter = at::randn({32, 16, 3, 3}).set_requires_grad(true);
  const at::Tensor old = parameter.pow(2).sum();
  old.backward({}, /*retain_graph=*/true);
  pack_parameter(parameter, kOrder);
  parameter.mutable_grad() = at::Tensor();
  parameter.pow(2).sum().backward();
  EXPECT_TRUE(kOrder.is_order_of(parameter.grad()));
  EXPECT_TRUE(parameter.grad().equal(parameter.detach().mul(2)));
}

TEST(PackedParameter, IsSharedWithItsForm) {
  const at::Tensor first = at::randn({32, 16, 3, 3}).set_requires_grad(true);
  const at::Tensor own = at::randn({32, 16, 3, 3}).set_requires_grad(true);
  share_parameter(first, own);
  EXPECT_EQ(own.data_ptr(), first.data_ptr());
  pack_parameter(first, kOrder);
  share_parameter(first, own);
  EXPECT_TRUE(kOrder.is_order_of(own));
  EXPECT_EQ(own.data_ptr(), first.data_ptr());
  first.unsafeGetTensorImpl()->bump_version();
  EXPECT_EQ(own._version(), first._version());
}

TEST(LaidOutLike, CopiesOnlyWhatLiesElsewhere) {
  const at::Tensor packed = at::empty_strided(kOrder.sizes, kOrder.strides, at::kFloat);
  const at::Tensor ordinary = at::randn({32, 16, 3, 3});
  const at::Tensor laid_out = laid_out_like(ordinary, packed);
  EXPECT_TRUE(kOrder.is_order_of(laid_out));
  EXPECT_TRUE(laid_out.reshape(-1).equal(ordinary.reshape(-1)));
  EXPECT_TRUE(laid_out_like(laid_out, packed).is_same(laid_out));
}

}  // namespace
}  // namespace hearth
