// Where a layer draws random numbers from: LibTorch's generator, or one of the thread's own.
#pragma once

#include <cstdint>

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>

namespace hearth {

// While it lives, this thread draws from `generator`, whatever other threads draw meanwhile.
class RandomStream {
 public:
  explicit RandomStream(at::Generator generator);
  ~RandomStream();
  RandomStream(const RandomStream&) = delete;
  RandomStream& operator=(const RandomStream&) = delete;

 private:
  c10::optional<at::Generator> before_;
};

// What random operators of LibTorch take as their generator; none stands for LibTorch's own.
[[nodiscard]] const c10::optional<at::Generator>& random_generator();

// Drawn from it: for kernels that make their random numbers themselves.
[[nodiscard]] uint64_t drawn_seed();

}  // namespace hearth
