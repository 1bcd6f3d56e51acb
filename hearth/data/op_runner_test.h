// For tests: an op run on values of any size, as a loader would.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "hearth/config/registry.h"
#include "hearth/core/random.h"
#include "hearth/data/sample_op.h"

namespace hearth {

class OpRunner {
 public:
  OpRunner(const Choice<SampleOp>& choice, std::vector<Spec> inputs)
      : op(registry<SampleOp>().make(choice)), inputs_(std::move(inputs)) {
    specs = op->infer(inputs_);
    for (size_t i = 0; i < specs.size(); ++i) values_.emplace_back(memory_);
  }

  // Runs it on one value, of a single length; what comes out stays until the next run.
  template <class T>
  std::vector<View> run(std::vector<T> value, const RandomIdentity& identity = {}) {
    const std::vector<int64_t> shape = {static_cast<int64_t>(value.size())};
    const View in{reinterpret_cast<std::byte*>(value.data()), &inputs_[0], shape};
    std::vector<Cell> cells;
    for (size_t i = 0; i < specs.size(); ++i) {
      if (!specs[i].is_ragged()) values_[i].take(specs[i].shape, specs[i]);
      cells.push_back(specs[i].is_ragged() ? Cell(values_[i], specs[i])
                                           : Cell(values_[i].data(), specs[i]));
    }
    Random random(identity);
    op->run(random, {&in, 1}, cells);
    std::vector<View> views;
    for (const Cell& cell : cells) views.push_back(cell.view());
    return views;
  }

  // The first output's values.
  template <class Out, class In>
  std::vector<Out> values(std::vector<In> value, const RandomIdentity& identity = {}) {
    const auto found = run(std::move(value), identity)[0].template as<Out>();
    return {found.begin(), found.end()};
  }

  std::unique_ptr<SampleOp> op;
  std::vector<Spec> specs;  // of what it writes

 private:
  std::vector<Spec> inputs_;
  RaggedMemory memory_;
  std::deque<RaggedValue> values_;
};

}  // namespace hearth
