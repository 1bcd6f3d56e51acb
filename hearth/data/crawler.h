// Walks a folder by patterns over paths and by tables beside it: which files there are, what is
// known of each, in which splits it is, and what was left out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hearth/data/sources/crawl.h"

namespace hearth {

struct LeftOut {
  std::string reason;
  int64_t count = 0;
  std::string example;  // the first such path
};

struct Crawled {
  struct File {
    std::string path;     // below the folder
    uint64_t splits = 0;  // a bit for each it is in
  };
  std::vector<std::string> annotations;
  // The classes of each annotation over all splits, in the order of their names, numbers as such.
  std::vector<std::vector<std::string>> names;
  std::vector<std::string> splits;
  std::vector<File> files;       // those in any split, by path
  std::vector<uint32_t> values;  // of each file a class for each annotation
  std::vector<LeftOut> left_out;

  [[nodiscard]] uint32_t value(size_t file, size_t annotation) const {
    return values[file * annotations.size() + annotation];
  }
  // Which files are in the split; all of them for "all". DataError with the nearest name.
  [[nodiscard]] std::vector<size_t> files_of(const std::string& split) const;
};

// ConfigError and DataError say what does not fit; it is none when files are left out.
[[nodiscard]] Crawled crawl_folder(const sources::CrawlOptions& options);

}  // namespace hearth
