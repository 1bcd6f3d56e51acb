// Windows of samples that lie together, in a new order every epoch; the samples of some windows
// that follow each other are shuffled among themselves.
#include "hearth/data/orders/windowed.h"

#include <algorithm>

#include "hearth/config/registry.h"
#include "hearth/core/random.h"

namespace hearth::orders {

namespace {

// Windows one after the other in the epoch's order. All are full but one, the source's last, which
// may come anywhere.
class WindowSequence {
 public:
  WindowSequence(int64_t samples, int64_t window, uint64_t seed, int64_t epoch)
      : window_(window),
        windows_(static_cast<uint64_t>((samples + window - 1) / window), seed,
                 static_cast<uint64_t>(epoch)),
        short_samples_(samples % window) {
    if (short_samples_ == 0) return;
    while (windows_.at(static_cast<uint64_t>(short_turn_)) + 1 != windows_.size()) ++short_turn_;
  }

  [[nodiscard]] int64_t at(int64_t position) const {
    int64_t turn = position / window_;
    int64_t within = position % window_;
    if (short_samples_ > 0 && position >= short_turn_ * window_ + short_samples_) {
      const int64_t after = position - short_turn_ * window_ - short_samples_;
      turn = short_turn_ + 1 + after / window_;
      within = after % window_;
    }
    return static_cast<int64_t>(windows_.at(static_cast<uint64_t>(turn))) * window_ + within;
  }

 private:
  int64_t window_;
  Permutation windows_;
  int64_t short_samples_;  // of the source's last window; 0 when it is full
  int64_t short_turn_ = 0;
};

class Windowed : public Order {
 public:
  using Options = WindowedOptions;
  explicit Windowed(const Options& options) : options_(options) {}

  [[nodiscard]] std::unique_ptr<const EpochOrder> epoch(
      const OrderRequest& request) const override {
    // Windows longer than the source are as long as it is.
    const int64_t window = std::min(options_.window, std::max<int64_t>(request.samples, 1));
    const int64_t block = window * std::min(options_.mixed, request.samples / window + 1);
    const WindowSequence windows(request.samples, window, request.seed, request.epoch);
    return cut_order(request, [windows, block, request](int64_t position) {
      const int64_t first = position / block * block;
      const int64_t size = std::min(block, request.samples - first);
      constexpr uint64_t kSpread = 0x9E3779B97F4A7C15;  // tells the blocks' orders apart
      const Permutation order(static_cast<uint64_t>(size),
                              request.seed + kSpread * static_cast<uint64_t>(position / block + 1),
                              static_cast<uint64_t>(request.epoch));
      return windows.at(first +
                        static_cast<int64_t>(order.at(static_cast<uint64_t>(position - first))));
    });
  }

 private:
  Options options_;
};

}  // namespace

const Schema<WindowedOptions>& WindowedOptions::schema() {
  using O = WindowedOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::window, "window", "Samples that lie together and are read together.",
                 at_least(1))
          .field(&O::mixed, "mixed", "Windows whose samples are mixed with each other.",
                 at_least(1), at_most(65536));
  return schema;
}

Choice<Order> windowed(WindowedOptions options) { return choose<Order>("windowed", options); }

void register_windowed(Registry<Order>& registry) {
  registry.add<Windowed>("windowed",
                         "Shuffled, but with samples near each other in time that lie near each "
                         "other: for data on slow disks.");
}

}  // namespace hearth::orders
