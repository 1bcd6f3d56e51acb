// Bands of frequencies as wide as the ear hears them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hearth {

struct MelBandsOptions {
  int64_t bands = 40;
  int64_t bins = 201;  // of the spectrum, from 0 to half the rate
  int64_t rate = 16000;
  double lowest = 0;           // in hertz
  double highest = 0;          // 0: half the rate
  std::string scale = "htk";   // or slaney
  bool is_normalized = false;  // Slaney's: every band covers the same area
};

// Triangles from the middle of the band before to the middle of the one after, by the formulas of
// torchaudio's melscale_fbanks.
class MelBands {
 public:
  explicit MelBands(const MelBandsOptions& options);
  [[nodiscard]] int64_t bands() const { return static_cast<int64_t>(bands_.size()); }
  // Sums the spectrum of one frame by bands.
  void run(std::span<const float> spectrum, std::span<float> to) const;

 private:
  struct Band {
    size_t first = 0;  // bin
    std::vector<float> weights;
  };
  std::vector<Band> bands_;
};

}  // namespace hearth
