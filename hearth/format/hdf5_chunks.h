// Where the chunks of an HDF5 dataset lie.
#pragma once

#include <cstdint>
#include <vector>

#include "hearth/format/hdf5.h"
#include "hearth/format/hdf5_bytes.h"

namespace hearth {

// A layout message of version 3 or 4, from behind the byte that says it is of chunks. Sets the
// dataset's chunk shape and chunks; its shape, type and filters must be known.
void read_hdf5_chunks(const Hdf5Input& input, uint64_t version, Hdf5Bytes& layout,
                      Hdf5Dataset& dataset);

}  // namespace hearth
