#include "hearth/data/data_plan.h"

#include <gtest/gtest.h>

#include "hearth/base/error.h"
#include "hearth/data/fixtures_test.h"

namespace hearth {
namespace {

using testing_data::AddNoise;
using testing_data::Chain;
using testing_data::CountingSource;
using testing_data::Ops;

std::shared_ptr<CountingSource> source() { return std::make_shared<CountingSource>(10); }
std::shared_ptr<AddNoise> noise(const std::string& from, const std::string& to, bool in_place) {
  return std::make_shared<AddNoise>(from, to, in_place);
}

// What AddNoise saw: whether it got one memory for input and output.
bool shared_after_one_batch(const Chain& chain, const AddNoise& op) {
  Loader loader(10, {.batch_size = 10}, chain.every_epoch());
  (void)loader.next();
  return op.shared_memory;
}

TEST(DataPlan, WritesASourceKeyStraightIntoItsRow) {
  const auto plan = Chain(source(), {}, {"x", "id"}).made();
  ASSERT_EQ(plan->fields.size(), 2U);
  EXPECT_EQ(plan->fields[0].key, "x");
  EXPECT_EQ(plan->fields[0].row_bytes, 16);
  EXPECT_EQ(plan->source_keys[1], (ValuePlace{ValuePlace::Kind::kRow, 1}));
  EXPECT_EQ(plan->scratch_bytes, 0);
}

TEST(DataPlan, RunsAChainOfInPlaceOpsInTheRowItself) {
  const auto op = noise("x", "x", true);
  const Chain chain(source(), Ops{op, noise("x", "x", true)}, {"x"});
  const auto plan = chain.made();
  EXPECT_EQ(plan->scratch_bytes, 0);
  EXPECT_EQ(plan->fields.size(), 1U);
  EXPECT_EQ(plan->field_of_value, (std::vector<int>{-1, -1, 0}));
  EXPECT_TRUE(shared_after_one_batch(chain, *op));
}

TEST(DataPlan, KeepsAnIntermediateValueInScratch) {
  const auto op = noise("x", "x", false);
  const Chain chain(source(), Ops{op}, {"x"});
  EXPECT_EQ(chain.made()->scratch_bytes, 64);
  EXPECT_FALSE(shared_after_one_batch(chain, *op));
}

TEST(DataPlan, CopiesForAnInPlaceOpWhoseInputIsStillNeeded) {
  const auto op = noise("x", "y", true);
  const Chain chain(source(), Ops{op}, {"x", "y"});
  const auto plan = chain.made();
  ASSERT_EQ(plan->steps[0].copies.size(), 1U);
  EXPECT_EQ(plan->steps[0].copies[0], 0U);
  EXPECT_TRUE(shared_after_one_batch(chain, *op));
  Loader loader(10, {.batch_size = 10}, chain.every_epoch());
  const HostBatch batch = loader.next();
  EXPECT_EQ(reinterpret_cast<const float*>(batch.data(chain.newest("x")))[4], 10.0F);
  EXPECT_GT(reinterpret_cast<const float*>(batch.data(chain.newest("y")))[4], 10.0F);
}

TEST(DataPlan, DoesNotWriteOverAValueThatALaterOpReads) {
  const Chain chain(source(), Ops{noise("x", "y", true), noise("x", "z", false)}, {"y", "z"});
  EXPECT_EQ(chain.made()->steps[0].copies.size(), 1U);
  Loader loader(10, {.batch_size = 10}, chain.every_epoch());
  const HostBatch batch = loader.next();
  EXPECT_LT(reinterpret_cast<const float*>(batch.data(chain.newest("z")))[0], 1.0F);
}

TEST(DataPlan, SendsAnOutputThatNobodyNeedsToScratch) {
  Chain chain(source(), Ops{noise("x", "y", false)}, {"id"});
  chain.plan.steps[1].outputs[0] = -1;
  const auto plan = chain.made();
  EXPECT_EQ(plan->scratch_bytes, 128);
  Loader loader(10, {.batch_size = 10}, chain.every_epoch());
  EXPECT_EQ(loader.next().rows(), 10);
}

TEST(DataPlan, NumbersOpsByNameAndKeyAndNotByPlace) {
  const Ops one = {noise("x", "x", true)};
  const Ops two = {noise("id", "id", true), noise("x", "x", true), noise("x", "x", true)};
  const auto alone = Chain(source(), one, {"x"}, {"shift"}).made();
  const auto after = Chain(source(), two, {"x"}, {"other", "shift", "shift"}).made();
  EXPECT_EQ(alone->steps[0].name, "shift");
  EXPECT_EQ(alone->steps[0].op_number, op_number("shift x"));
  EXPECT_EQ(after->steps[1].op_number, alone->steps[0].op_number);
  EXPECT_NE(after->steps[2].op_number, alone->steps[0].op_number);
}

TEST(DataPlan, RefusesAnOpWhoseInputNobodyMakes) {
  Chain chain(source(), Ops{noise("x", "x", true)}, {"x"});
  chain.plan.steps[0].outputs[0] = -1;
  chain.plan.steps[1].outputs[0] = -1;
  EXPECT_THROW((void)chain.made(), InternalError);
  chain.nodes[1].component.reset();
  EXPECT_THROW((void)chain.made(), InternalError);
}

}  // namespace
}  // namespace hearth
