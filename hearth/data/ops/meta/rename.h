// A key under another name.
#pragma once

#include <string>

#include "hearth/config/choice.h"
#include "hearth/data/sample_op.h"

namespace hearth::sample_ops {

struct RenameOptions {
  std::string key = {};
  std::string to = {};
  static const Schema<RenameOptions>& schema();
};

[[nodiscard]] Choice<SampleOp> rename(const RenameOptions& options = {});

}  // namespace hearth::sample_ops
