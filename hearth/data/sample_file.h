// Files that hold a sample each: read whole, and told from others without reading all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "hearth/base/digest.h"
#include "hearth/data/value.h"

namespace hearth {

// DataError, which calls it `what`, unless this is a folder.
void require_folder(const std::filesystem::path& folder, const std::string& what = "the folder");

// All bytes of a file; DataError when it has more than a sample may have. Memory of the caller's
// grows and is kept.
void read_sample_file(const std::filesystem::path& path, const Cell& cell);
void read_sample_file(const std::filesystem::path& path, std::string& bytes);

// Of names, and of what content_digest.h looks at of so many files: reading all of them would take
// as long as an epoch.
class SampleFilesDigest {
 public:
  explicit SampleFilesDigest(size_t files);
  void add(std::string_view text) { digest_.add(text); }
  void add_file(const std::filesystem::path& path);
  [[nodiscard]] std::string finish() { return "sha256:" + digest_.finish_hex(); }

 private:
  uint64_t most_bytes_;  // of each
  Sha256 digest_;
};

}  // namespace hearth
