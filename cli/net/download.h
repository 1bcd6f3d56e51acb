// One file from the net: https only, resumed where it broke off, checked before it gets its name.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "cli/net/remote_set.h"

namespace hearth::cli {

// Bytes there are, bytes there will be (0: nobody knows), bytes/s.
using DownloadProgress = std::function<void(uint64_t done, uint64_t all, double rate)>;

// Nothing when `target` is there with the right checksum. What arrived before a break stays beside
// it, as NAME.part, for the next try; what has the wrong checksum is removed. DataError says what
// went wrong and what to do.
void download(const RemoteFile& file, const std::filesystem::path& target,
              const DownloadProgress& progress);

// https, or http on this machine itself; ConfigError for anything else.
void check_address(const std::string& url);

// "md5:..." or "sha256:..." of a file, by the algorithm that `like` names.
[[nodiscard]] std::string checksum_of(const std::filesystem::path& file, const std::string& like);

}  // namespace hearth::cli
