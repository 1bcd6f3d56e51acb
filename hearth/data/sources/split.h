// A part of a source, drawn by a seed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "hearth/base/text.h"
#include "hearth/config/choice.h"
#include "hearth/data/source.h"

namespace hearth::sources {

using hearth::split;  // of texts: sources that need it still find it beside the factory below

struct FoldOptions {
  int64_t of = 5;
  int64_t index = 0;
  std::string part = "train";
  static const Schema<FoldOptions>& schema();
};

struct SplitOptions {
  std::optional<Choice<Source>> of = {};
  std::map<std::string, double> shares = {{"eval", 0.2}, {"train", 0.8}};
  std::string part = "train";
  std::optional<FoldOptions> fold = {};
  std::optional<std::string> stratify = {};
  std::optional<std::string> by = {};
  int64_t seed = 0;
  static const Schema<SplitOptions>& schema();
};

[[nodiscard]] Choice<Source> split(const SplitOptions& options = {});

}  // namespace hearth::sources
