// What of files tells them from others, without reading all of what is large.
#pragma once

#include <cstdint>

#include "hearth/base/digest.h"
#include "hearth/format/read_bytes.h"

namespace hearth {

// How much of each of so many files is looked at.
[[nodiscard]] uint64_t looked_at_of_each(uint64_t files);

// The size, and all bytes where `most` are enough; otherwise blocks from the beginning to the end,
// evenly apart, the first and the last one included.
void add_content(Sha256& digest, uint64_t bytes, uint64_t most, const ReadBytes& read);

}  // namespace hearth
