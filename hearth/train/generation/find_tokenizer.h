// The tokenizer that made a key of an experiment's data. Needs no LibTorch header.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hearth/core/spec.h"
#include "hearth/experiment/options.h"
#include "hearth/train/generation/token_text.h"

namespace hearth {

// `specs` are those of the source, which know the vocabulary. Nothing when the key comes from
// elsewhere than from an op that cuts text into tokens or a source `text`.
[[nodiscard]] std::optional<RunTokenizer> find_tokenizer(const ExperimentOptions& options,
                                                         const std::vector<KeySpec>& specs,
                                                         const std::string& key);

}  // namespace hearth
