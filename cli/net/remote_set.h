// A data set that can be had from the net, as a file describes it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "hearth/config/schema.h"

namespace hearth::cli {

struct RemoteFile {
  std::string url = "";
  std::string checksum = "";  // "md5:..." or "sha256:..."
  static const Schema<RemoteFile>& schema();
  [[nodiscard]] std::string name() const;  // the last part of the address
};

struct RemoteSet {
  std::string about = "";
  std::vector<RemoteFile> files = {};
  std::string use = "";  // YAML to paste, in which FOLDER stands for where the files are
  static const Schema<RemoteSet>& schema();
};

// The sets that Hearth knows, by name.
[[nodiscard]] std::vector<std::string> remote_set_names();
// One of them, or a file of one's own; ConfigError names every fault.
[[nodiscard]] RemoteSet load_remote_set(const std::string& name_or_file);

}  // namespace hearth::cli

namespace hearth {

template <>
struct TypeOf<cli::RemoteFile> {
  static Type type();
  static cli::RemoteFile read(const Node& node);
  static Node write(const cli::RemoteFile& file);
};

}  // namespace hearth
