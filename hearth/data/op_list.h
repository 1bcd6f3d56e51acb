// Sample ops inside of another one: which keys they have in common, and running some of them.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth {

class OpList {
 public:
  // Makes the ops. ConfigError, with its place, for one that has a window or a schedule of its own:
  // the op around it has them.
  OpList(std::string outer, const std::vector<Choice<SampleOp>>& choices);

  [[nodiscard]] size_t size() const { return ops_.size(); }
  [[nodiscard]] bool is_random() const;  // whether any of them is
  // All keys that any of them reads or writes: what a sample has when one is left out must be
  // known.
  [[nodiscard]] const std::vector<std::string>& reads() const { return reads_; }
  [[nodiscard]] const std::vector<std::string>& writes() const { return writes_; }

  // Specs when all ops keep what they write as it is; GraphError names one that does not.
  [[nodiscard]] std::vector<Spec> kept_specs(const std::vector<Spec>& inputs) const;
  // Specs when one of them runs; GraphError names two that make different things of a key.
  [[nodiscard]] std::vector<Spec> common_specs(const std::vector<Spec>& inputs) const;

  // Runs the ops of these numbers one after another; inputs and outputs go with reads() and
  // writes(). What none of them writes is copied. Nothing is allocated once a thread is warm.
  void run(std::span<const size_t> numbers, Random& random, std::span<const View> inputs,
           std::span<const Cell> outputs) const;

 private:
  struct Member {
    std::string name;
    std::unique_ptr<SampleOp> op;
    std::vector<size_t> reads;   // places in reads()
    std::vector<size_t> writes;  // places in writes()
  };
  class Running;

  [[nodiscard]] std::vector<Spec> specs_after(const Member& member,
                                              const std::vector<Spec>& inputs) const;

  std::string outer_;
  std::vector<Member> ops_;
  std::vector<std::string> reads_;
  std::vector<std::string> writes_;
  std::vector<size_t> read_of_write_;  // where a written key stands in reads()
};

}  // namespace hearth
