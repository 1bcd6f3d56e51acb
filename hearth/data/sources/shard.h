// One of several equal parts of a source.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "hearth/config/choice.h"
#include "hearth/data/source.h"

namespace hearth::sources {

struct ShardOptions {
  std::optional<Choice<Source>> of = {};
  int64_t index = 0;
  int64_t count = 1;
  std::string take = "every";
  static const Schema<ShardOptions>& schema();
};

[[nodiscard]] Choice<Source> shard(const ShardOptions& options = {});

}  // namespace hearth::sources
