// An op on one sample, run by worker threads on plain memory: no LibTorch, no allocation a sample.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "hearth/core/random.h"
#include "hearth/core/spec.h"

namespace hearth {

// One sample's value of a key.
struct View {
  std::byte* data = nullptr;
  const Spec* spec = nullptr;
  template <class T>
  [[nodiscard]] std::span<T> as() const {
    return {reinterpret_cast<T*>(data), static_cast<size_t>(spec->elements())};
  }
};

class SampleOp {
 public:
  virtual ~SampleOp() = default;
  [[nodiscard]] virtual std::vector<std::string> reads() const = 0;
  [[nodiscard]] virtual std::vector<std::string> writes() const = 0;
  // Specs of what it writes, from the specs of what it reads; GraphError says what does not fit.
  [[nodiscard]] virtual std::vector<Spec> infer(const std::vector<Spec>& inputs) const = 0;
  // An op that writes over its input in place gets the same memory for input k and output k.
  [[nodiscard]] virtual bool is_in_place() const { return false; }
  // `random` is keyed by seed, epoch, sample and this op. Called from many threads at once.
  virtual void run(Random& random, std::span<const View> inputs,
                   std::span<const View> outputs) const = 0;
};

}  // namespace hearth
