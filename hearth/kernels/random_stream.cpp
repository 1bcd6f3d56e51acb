// Where a layer draws random numbers from: LibTorch's generator, or one of the thread's own.
#include "hearth/kernels/random_stream.h"

#include <ATen/ops/empty.h>

#include <utility>

namespace hearth {
namespace {

thread_local c10::optional<at::Generator> stream_of_thread;

}  // namespace

RandomStream::RandomStream(at::Generator generator)
    : before_(std::exchange(stream_of_thread, std::move(generator))) {}

RandomStream::~RandomStream() { stream_of_thread = std::move(before_); }

const c10::optional<at::Generator>& random_generator() { return stream_of_thread; }

uint64_t drawn_seed() {
  return static_cast<uint64_t>(
      at::empty({1}, at::kLong).random_(random_generator()).item<int64_t>());
}

}  // namespace hearth
