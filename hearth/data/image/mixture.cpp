// Images mixed by shares.
#include "hearth/data/image/mixture.h"

#include "hearth/data/image/blend.h"
#include "hearth/data/image/scratch.h"
#include "hearth/data/image/wide_loop.h"

namespace hearth::pixels {

namespace {

std::span<float> mixture_memory(size_t count) {
  thread_local Scratch<float> scratch;
  return scratch.take(count);
}

HEARTH_WIDE_LOOP void set_share(const uint8_t* from, float share, size_t count, float* to) {
  for (size_t i = 0; i < count; ++i) to[i] = share * static_cast<float>(from[i]);
}

HEARTH_WIDE_LOOP void add_share(const uint8_t* from, float share, size_t count, float* to) {
  for (size_t i = 0; i < count; ++i) to[i] += share * static_cast<float>(from[i]);
}

HEARTH_WIDE_LOOP void cut_to_bytes(const float* from, size_t count, uint8_t* to) {
  for (size_t i = 0; i < count; ++i) to[i] = byte_of(from[i]);
}

}  // namespace

Mixture::Mixture(const Pixels& first, double share) : sums_(mixture_memory(first.all().size())) {
  set_share(first.bytes, static_cast<float>(share), sums_.size(), sums_.data());
}

void Mixture::add(const Pixels& image, double share) {
  add_share(image.bytes, static_cast<float>(share), sums_.size(), sums_.data());
}

void Mixture::write(const Pixels& to) const { cut_to_bytes(sums_.data(), sums_.size(), to.bytes); }

}  // namespace hearth::pixels
