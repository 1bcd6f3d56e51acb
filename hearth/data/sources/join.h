// The samples of one source with the fields that another has for the same key.
#pragma once

#include <optional>
#include <string>

#include "hearth/base/text.h"
#include "hearth/config/choice.h"
#include "hearth/data/source.h"

namespace hearth::sources {

using hearth::join;  // of texts: sources that need it still find it beside the factory below

struct JoinOptions {
  std::optional<Choice<Source>> left = {};
  std::optional<Choice<Source>> right = {};
  std::string on = {};  // must be given
  std::string prefix = {};
  std::string missing = "error";
  static const Schema<JoinOptions>& schema();
};

[[nodiscard]] Choice<Source> join(const JoinOptions& options = {});

}  // namespace hearth::sources
