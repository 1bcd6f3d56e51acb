// WAV files in a folder for each class.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "hearth/config/choice.h"
#include "hearth/data/source.h"

namespace hearth::sources {

struct WavFolderOptions {
  std::string folder = {};  // must be given
  std::optional<int64_t> rate = {};
  static const Schema<WavFolderOptions>& schema();
};

[[nodiscard]] Choice<Source> wav_folder(WavFolderOptions options = {});

}  // namespace hearth::sources
