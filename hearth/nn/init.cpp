// First values of parameters, each from a generator of its own.
#include "hearth/nn/init.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/empty.h>

#include <cmath>

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

// Always on the CPU, so that every device starts from the same values.
at::Generator init_generator(const BuildContext& context, const std::string& name) {
  const uint64_t hash = init_hash(context.path + "." + name);
  const auto block = philox({low_word(hash), high_word(hash), 0, 0},
                            {low_word(context.seed), high_word(context.seed)});
  return at::detail::createCPUGenerator(block[0] | static_cast<uint64_t>(block[1]) << 32);
}

}  // namespace

at::Tensor uniform(const BuildContext& context, const std::string& name, at::IntArrayRef shape,
                   double bound) {
  return at::empty(shape, at::kFloat).uniform_(-bound, bound, init_generator(context, name));
}

at::Tensor normal(const BuildContext& context, const std::string& name, at::IntArrayRef shape,
                  double deviation) {
  return at::empty(shape, at::kFloat).normal_(0, deviation, init_generator(context, name));
}

at::Tensor fan_in_uniform(const BuildContext& context, const std::string& name,
                          at::IntArrayRef shape, int64_t fan_in) {
  return uniform(context, name, shape, 1 / std::sqrt(static_cast<double>(fan_in)));
}

}  // namespace hearth
