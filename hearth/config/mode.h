// The four modes a node may live in.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hearth {

enum class Mode : uint8_t { kTrain, kEval, kTest, kInfer };
inline constexpr std::array<Mode, 4> kAllModes = {Mode::kTrain, Mode::kEval, Mode::kTest,
                                                  Mode::kInfer};

[[nodiscard]] std::string_view name(Mode mode);
[[nodiscard]] std::optional<Mode> mode_from(std::string_view name);

// A set of modes.
class Modes {
 public:
  constexpr Modes() = default;
  constexpr Modes(Mode mode) : bits_(bit(mode)) {}  // NOLINT: a mode is a set of one
  constexpr Modes(std::initializer_list<Mode> modes) {
    for (Mode mode : modes) bits_ = static_cast<uint8_t>(bits_ | bit(mode));
  }
  [[nodiscard]] static constexpr Modes all() {
    return {Mode::kTrain, Mode::kEval, Mode::kTest, Mode::kInfer};
  }
  [[nodiscard]] constexpr bool has(Mode mode) const { return (bits_ & bit(mode)) != 0; }
  [[nodiscard]] constexpr bool is_empty() const { return bits_ == 0; }
  [[nodiscard]] constexpr bool operator==(const Modes&) const = default;
  [[nodiscard]] std::vector<std::string> names() const;

  // "train" or "!infer"; nothing for an unknown word.
  [[nodiscard]] static std::optional<Modes> from(std::string_view word);
  constexpr void add(Modes other) { bits_ = static_cast<uint8_t>(bits_ | other.bits_); }

 private:
  static constexpr uint8_t bit(Mode mode) {
    return static_cast<uint8_t>(1U << static_cast<uint8_t>(mode));
  }
  uint8_t bits_ = 0;
};

}  // namespace hearth
