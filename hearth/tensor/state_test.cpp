// State: parts, copies, and copying into tensors that exist.
#include "hearth/tensor/state.h"

#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include "hearth/base/error.h"

namespace hearth {
namespace {

State state_with(double value) {
  State state;
  state.tensors.emplace_back("weight", at::full({2}, value));
  state.values["steps"] = 3;
  return state;
}

std::string copy_fault(const std::vector<NamedTensor>& into, const std::vector<NamedTensor>& from) {
  try {
    copy_into(into, from, "Model 'net'");
  } catch (const DataError& error) {
    return error.what();
  }
  return "no fault";
}

TEST(State, GivesBackThePartsThatWereAdded) {
  State whole;
  whole.add("models/a", state_with(1));
  whole.add("models/b", state_with(2));
  const State part = whole.part("models").part("b");
  EXPECT_EQ(part.tensor("weight")[0].item<double>(), 2);
  EXPECT_EQ(part.values, state_with(2).values);
  EXPECT_EQ(part.tensors.size(), 1U);
}

TEST(State, HasAnEmptyPartForAPrefixNobodyAdded) {
  State whole;
  whole.add("models/a", state_with(1));
  EXPECT_TRUE(whole.part("model").tensors.empty());
  EXPECT_EQ(whole.part("model").values, Json::object());
}

TEST(State, NamesTheNearestTensorWhenOneIsNotThere) {
  try {
    (void)state_with(1).tensor("wieght");
    FAIL();
  } catch (const DataError& error) {
    EXPECT_STREQ(error.what(), "The state has no tensor 'wieght'. Did you mean 'weight'?");
  }
}

TEST(State, CopyHasMemoryOfItsOwn) {
  const State original = state_with(1);
  const State copied = copy(original);
  original.tensor("weight").fill_(5);
  EXPECT_EQ(copied.tensor("weight")[0].item<double>(), 1);
  EXPECT_EQ(copied.values, original.values);
}

TEST(CopyInto, KeepsTheStorageOfTheTarget) {
  at::Tensor target = at::zeros({2});
  target.set_requires_grad(true);
  const void* storage = target.data_ptr();
  copy_into({{"weight", target}}, state_with(4).tensors, "Model 'net'");
  EXPECT_EQ(target.data_ptr(), storage);
  EXPECT_EQ(target[1].item<double>(), 4);
}

TEST(CopyInto, NamesEveryTensorThatDoesNotFitAndCopiesNone) {
  const at::Tensor fits = at::zeros({1});
  const std::vector<NamedTensor> into = {{"fits", fits}, {"a", at::zeros({2, 3})}, {"b", fits}};
  const std::vector<NamedTensor> from = {
      {"fits", at::full({1}, 7.0)}, {"a", at::zeros({3, 2}, at::kLong)}, {"c", at::zeros({1})}};
  EXPECT_EQ(
      copy_fault(into, from),
      "Model 'net': the saved tensors do not fit: 'a' is int64 [3, 2], expected float32 "
      "[2, 3]; 'b' is missing; 'c' is unexpected. Use the config the tensors were saved with.");
  EXPECT_EQ(fits.item<double>(), 0);
}

}  // namespace
}  // namespace hearth
