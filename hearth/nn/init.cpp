// First values of parameters, each from a generator of its own.
#include "hearth/nn/init.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/empty.h>

#include <cmath>

#include "hearth/base/error.h"
#include "hearth/base/memory.h"
#include "hearth/base/text.h"
#include "hearth/core/random.h"

namespace hearth {
namespace {

// FNV-1a: stable over platforms and builds, unlike std::hash.
uint64_t init_hash(std::string_view text) {
  uint64_t hash = 14695981039346656037ULL;
  for (const char letter : text) {
    hash = (hash ^ static_cast<unsigned char>(letter)) * 1099511628211ULL;
  }
  return hash;
}

uint32_t low_word(uint64_t value) { return static_cast<uint32_t>(value); }
uint32_t high_word(uint64_t value) { return static_cast<uint32_t>(value >> 32); }

at::Tensor shape_alone(at::IntArrayRef shape) {
  return at::empty(shape, at::TensorOptions(at::kMeta).dtype(at::kFloat));
}

// Who only looks whether its parameters fit needs no values, nor does a device without memory.
template <class Fill>
at::Tensor first_values(const BuildContext& context, const std::string& name, at::IntArrayRef shape,
                        const Fill& fill) {
  take_room(context, name, shape);
  if (!context.is_first() || context.device.is_meta()) return shape_alone(shape);
  at::Tensor values = at::empty(shape, at::kFloat);
  fill(values);
  return values;
}

}  // namespace

void take_room(const BuildContext& context, const std::string& name, at::IntArrayRef shape,
               uint64_t bytes_each) {
  if (!context.is_first()) return;  // it is there already
  uint64_t bytes = bytes_each;
  bool is_beyond = false;
  for (const int64_t length : shape)
    is_beyond = is_beyond || __builtin_mul_overflow(bytes, static_cast<uint64_t>(length), &bytes);
  const uint64_t room = context.room_bytes != nullptr ? *context.room_bytes : available_memory();
  if (is_beyond || bytes > room) {
    const bool fits_alone = !is_beyond && bytes <= available_memory() / 2;
    if (context.room_bytes != nullptr) *context.room_bytes = 0;
    throw GraphError(context.path + ": the parameter " + quote(name) + ", " +
                     (bytes_each == sizeof(float) ? "float32 " : "int64 ") + shape_text(shape) +
                     ", needs " + (is_beyond ? "more than 64 bits can count" : human_bytes(bytes)) +
                     (fits_alone ? " beside those before it" : "") + ", but this machine has " +
                     human_bytes(available_memory()) +
                     " for all parameters, gradients and data. Use smaller layers.");
  }
  if (context.room_bytes != nullptr) *context.room_bytes -= bytes;
}

// Always on the CPU, so that every device starts from the same values.
at::Generator init_generator(const BuildContext& context, const std::string& name) {
  const uint64_t hash = init_hash(context.path + "." + name);
  const auto block = philox({low_word(hash), high_word(hash), 0, 0},
                            {low_word(context.seed), high_word(context.seed)});
  return at::detail::createCPUGenerator(block[0] | static_cast<uint64_t>(block[1]) << 32);
}

std::string shape_text(at::IntArrayRef shape) {
  std::vector<std::string> lengths;
  for (const int64_t length : shape) lengths.push_back(std::to_string(length));
  return "[" + join(lengths, ", ") + "]";
}

at::Tensor uniform(const BuildContext& context, const std::string& name, at::IntArrayRef shape,
                   double bound) {
  return first_values(context, name, shape, [&](at::Tensor& values) {
    values.uniform_(-bound, bound, init_generator(context, name));
  });
}

at::Tensor normal(const BuildContext& context, const std::string& name, at::IntArrayRef shape,
                  double deviation) {
  return first_values(context, name, shape, [&](at::Tensor& values) {
    values.normal_(0, deviation, init_generator(context, name));
  });
}

at::Tensor filled(const BuildContext& context, const std::string& name, at::IntArrayRef shape,
                  double value) {
  return first_values(context, name, shape, [&](at::Tensor& values) { values.fill_(value); });
}

at::Tensor fan_in_uniform(const BuildContext& context, const std::string& name,
                          at::IntArrayRef shape, int64_t fan_in) {
  return uniform(context, name, shape, 1 / std::sqrt(static_cast<double>(fan_in)));
}

}  // namespace hearth
