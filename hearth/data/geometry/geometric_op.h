// A geometric op: keys that move together by a transform that a policy draws for each sample.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hearth/data/geometry/moved_keys.h"
#include "hearth/data/geometry/reading_op.h"
#include "hearth/data/sample_op.h"

namespace hearth {

// A policy has `Options`, `keys()`, and
//   ImageSize size(const ImageSize& image)         the result's size, kAnyLength where it differs;
//                                                  GraphError when the image does not fit
//   Transform draw(Random&, const ImageSize& image)   DataError when the image does not fit
// and, if it has them,
//   void check(const Spec& image)                  GraphError for an image it cannot take
//   OutsideFill fill()                             of points outside of the image
//   kDrawsNothing, or bool draws_nothing()         true when it is the same for every sample
template <class Policy>
class GeometricOp : public SampleOp {
 public:
  using Options = typename Policy::Options;
  explicit GeometricOp(const Options& options) : policy_(options), keys_(policy_.keys()) {}

  [[nodiscard]] std::vector<std::string> reads() const override { return keys_.all(); }
  [[nodiscard]] std::vector<std::string> writes() const override { return keys_.all(); }

  [[nodiscard]] bool is_random() const override {
    if constexpr (requires { policy_.draws_nothing(); }) return !policy_.draws_nothing();
    return !requires { requires Policy::kDrawsNothing; };
  }

  [[nodiscard]] std::vector<Spec> infer(const std::vector<Spec>& inputs) const override {
    const ImageSize size = keys_.size_of(inputs);
    if constexpr (requires { policy_.check(inputs[0]); }) policy_.check(inputs[0]);
    std::vector<Spec> specs = keys_.specs(inputs, policy_.size(size));
    if constexpr (requires { policy_.fill(); }) keys_.check_fill(inputs, policy_.fill());
    return specs;
  }

  void run(Random& random, std::span<const View> inputs,
           std::span<const Cell> outputs) const override {
    const ImageSize size = keys_.size_of(inputs);
    keys_.move(policy_.draw(random, size), inputs, outputs);
  }

  // With the op that reads image files: where the transform looks at a part, only that is read.
  [[nodiscard]] std::shared_ptr<const SampleOp> fused_after(
      const std::shared_ptr<const SampleOp>& before) const override {
    if constexpr (TakesParts<Transform>)
      if (dynamic_cast<const PartReader*>(before.get()) != nullptr)
        return std::make_shared<const ReadingOp<Policy>>(
            before, std::make_shared<const GeometricOp>(*this), policy_, keys_);
    return nullptr;
  }

 private:
  using Transform = decltype(std::declval<const Policy&>().draw(std::declval<Random&>(),
                                                                std::declval<const ImageSize&>()));

  Policy policy_;
  MovedKeys keys_;
};

}  // namespace hearth
