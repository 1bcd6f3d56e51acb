// A file that a source opened: what is read later is what was opened, even if its name is gone.
#pragma once

#include <filesystem>
#include <string>

#include "hearth/base/digest.h"
#include "hearth/base/files.h"

namespace hearth {

struct OpenedFile {
  std::filesystem::path path;
  FileHandle file;
  FileStamp stamp;

  void open(std::filesystem::path from);
  // DataError when someone wrote into it since.
  void check_unchanged() const;
  // All bytes; DataError when it changed.
  void add_to(Sha256& digest) const;
};

// SHA-256 of all its bytes.
[[nodiscard]] std::string file_digest(const std::filesystem::path& path);

}  // namespace hearth
