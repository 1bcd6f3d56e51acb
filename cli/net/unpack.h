// Archives to files, without anything that could land elsewhere.
#pragma once

#include <filesystem>
#include <functional>

namespace hearth::cli {

[[nodiscard]] bool is_archive(const std::filesystem::path& file);

// The regular files of a .tar.gz into `folder`, which is made; a name that leads out of it is a
// DataError. `progress` hears how many files are done, and how many there are.
void unpack(const std::filesystem::path& archive, const std::filesystem::path& folder,
            const std::function<void(size_t done, size_t all)>& progress);

}  // namespace hearth::cli
