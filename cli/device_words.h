// How other frameworks' flags ask for a device, as Hearth's config says it.
#pragma once

#include <string>

namespace hearth::cli {

// `--gpus 1` is "cuda", `--gpu 1` is "cuda:1", `--no-cuda` is "cpu". `flag` has underscores and no
// dashes before it; `value` is empty for a flag without one. A remark follows where there is more
// to say.
[[nodiscard]] std::string device_words(const std::string& flag, const std::string& value);

}  // namespace hearth::cli
