// The channels of an image in another order, drawn for each.
#include "hearth/data/ops/image/channel_shuffle.h"

#include <algorithm>
#include <numeric>

#include "hearth/config/registry.h"
#include "hearth/data/image/scratch.h"
#include "hearth/data/pixel_op.h"

namespace hearth::sample_ops {

namespace {

// order[c] is the channel that c comes from.
std::span<const size_t> drawn_order(Random& random, uint32_t channels) {
  thread_local Scratch<size_t> scratch;
  const auto order = scratch.take(channels);
  std::iota(order.begin(), order.end(), size_t{0});
  for (uint32_t left = channels; left > 1; --left)
    std::swap(order[left - 1], order[random.below(left)]);
  return order;
}

template <class T>
void shuffle_channels(Random& random, std::span<T> values, uint32_t channels) {
  thread_local Scratch<T> scratch;
  const auto pixel = scratch.take(channels);
  const auto order = drawn_order(random, channels);
  for (size_t i = 0; i + channels <= values.size(); i += channels) {
    std::copy_n(values.begin() + static_cast<ptrdiff_t>(i), channels, pixel.begin());
    for (size_t c = 0; c < channels; ++c) values[i + c] = pixel[order[c]];
  }
}

class ChannelShuffle : public PixelOp<ChannelShuffleOptions> {
 public:
  explicit ChannelShuffle(Options options)
      : PixelOp("channel_shuffle", std::move(options),
                {.takes_floats = true, .takes_any_white = true}) {}

 private:
  void change(Random& random, const View& image) const override {
    const auto channels = static_cast<uint32_t>(image.shape[2]);
    if (image.spec->dtype == DType::kUint8)
      shuffle_channels(random, image.as<uint8_t>(), channels);
    else
      shuffle_channels(random, image.as<float>(), channels);
  }
};

}  // namespace

const Schema<ChannelShuffleOptions>& ChannelShuffleOptions::schema() {
  using O = ChannelShuffleOptions;
  static const auto schema = pixel_schema<O>("The image to change; bytes or floats.");
  return schema;
}

Choice<SampleOp> channel_shuffle(ChannelShuffleOptions options) {
  return choose<SampleOp>("channel_shuffle", options);
}

void register_channel_shuffle(Registry<SampleOp>& registry) {
  registry.add<ChannelShuffle>("channel_shuffle",
                               "Puts the channels of an image into a random order.");
}

}  // namespace hearth::sample_ops
