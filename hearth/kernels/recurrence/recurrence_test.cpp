// Recurrences beside the plain path, over many shapes, cells and masks.
#include "hearth/kernels/recurrence/recurrence.h"

#include <ATen/Context.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/rand.h>

#include "hearth/kernels/comparison_test.h"

namespace hearth {
namespace {

class RecurrenceKernels : public ForThreads {};
INSTANTIATE_TEST_SUITE_P(Threads, RecurrenceKernels, testing::Values(1, 2));

// Of gates, weight, bias, first state and first cell.
KernelRun run_of(RecurrentCell cell, bool is_reverse, const at::Tensor& mask) {
  return [=](Kernels kernels, const std::vector<at::Tensor>& inputs) {
    const RecurrentStates states = run_recurrence(kernels, {cell, is_reverse, inputs[1], inputs[2]},
                                                  inputs[0], {inputs[3], inputs[4]}, mask);
    const RecurrentState last = states.last(is_reverse);
    std::vector<at::Tensor> all = {states.hidden, last.hidden.unsqueeze(0)};
    if (last.cell.defined()) all.push_back(last.cell.unsqueeze(0));
    return at::cat(all);
  };
}

TEST_P(RecurrenceKernels, AreLikeThePlainPathOnRandomShapes) {
  ShapeDraw draw(5);
  for (int i = 0; i < 60; ++i) {
    at::manual_seed(31 + i);
    const auto cell = static_cast<RecurrentCell>(i % 4);
    const int64_t length = draw(1, 9);
    const int64_t batch = draw(1, 11);
    const int64_t size = draw(1, 30);
    const int64_t gates = gates_of(cell) * size;
    const bool is_reverse = draw.flip();
    const bool has_first = draw.flip();
    const bool has_cell = has_first && cell == RecurrentCell::kLstm;
    const at::Tensor mask = draw.flip() ? at::rand({length, batch}).lt(0.7) : at::Tensor();
    const at::Tensor none;
    const at::Tensor weight = at::randn({gates, size}).mul(0.5);
    expect_like_plain(
        run_of(cell, is_reverse, mask),
        {at::randn({length, batch, gates}), weight, draw.flip() ? at::randn({gates}) : none,
         has_first ? at::randn({batch, size}) : none, has_cell ? at::randn({batch, size}) : none},
        "cell " + std::to_string(i % 4) + ", " + std::to_string(length) + " places of " +
            std::to_string(batch) + " samples, size " + std::to_string(size) +
            (is_reverse ? ", reverse" : "") + (mask.defined() ? ", masked" : ""));
  }
}

TEST(Recurrence, KeepsTheStateWhereNothingIs) {
  at::manual_seed(3);
  const at::Tensor gates = at::randn({3, 2, 12});
  const at::Tensor mask = at::rand({3, 2}).lt(0);
  const at::Tensor first = at::randn({2, 3});
  const RecurrentStates states =
      run_recurrence(Kernels::kFast, {RecurrentCell::kLstm, false, at::randn({12, 3})}, gates,
                     {first, first.add(1)}, mask);
  EXPECT_TRUE(states.last(false).hidden.equal(first));
  EXPECT_TRUE(states.last(false).cell.equal(first.add(1)));
}

}  // namespace
}  // namespace hearth
