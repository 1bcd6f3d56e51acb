// Where a layer draws random numbers from: LibTorch's generator, or one of the thread's own.
#include "hearth/kernels/random_stream.h"

#include <ATen/ops/dropout.h>
#include <ATen/ops/empty_like.h>

#include <utility>

namespace hearth {
namespace {

thread_local c10::optional<at::Generator> stream_of_thread;

}  // namespace

RandomStream::RandomStream(at::Generator generator)
    : before_(std::exchange(stream_of_thread, std::move(generator))) {}

RandomStream::~RandomStream() { stream_of_thread = std::move(before_); }

const c10::optional<at::Generator>& random_generator() { return stream_of_thread; }

// LibTorch's operator takes no generator; with one, its formula is written out.
at::Tensor drop_values(const at::Tensor& input, double p) {
  if (!random_generator() || p == 0 || input.numel() == 0) return at::dropout(input, p, true);
  const at::Tensor noise = at::empty_like(input, at::MemoryFormat::Contiguous);
  noise.bernoulli_(1 - p, random_generator()).div_(1 - p);
  return input.mul(noise);
}

}  // namespace hearth
