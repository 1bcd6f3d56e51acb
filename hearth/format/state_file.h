// A state as a file, checkpoints and exported weights alike: its tensors and the values beside
// them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "hearth/format/safetensors.h"

namespace hearth {

// What says of a safetensors file that it is Hearth's, and where its values stand.
inline constexpr const char* kStateKindKey = "hearth.kind";
inline constexpr const char* kStateValuesKey = "hearth.state";
inline constexpr const char* kCheckpointKind = "checkpoint";
inline constexpr const char* kWeightsKind = "weights";

class StateFile {
 public:
  // Reads and checks the header only.
  explicit StateFile(fs::path path) : file_(std::move(path)) {}

  [[nodiscard]] const SafetensorsFile& tensors() const { return file_; }
  [[nodiscard]] const fs::path& path() const { return file_.path(); }
  // Reads the whole file; DataError says what was changed.
  void verify() const { file_.verify_digest(); }
  // An object. DataError when the file is of another kind, or has no values.
  [[nodiscard]] nlohmann::json values(const std::string& kind) const;

 private:
  SafetensorsFile file_;
};

}  // namespace hearth
