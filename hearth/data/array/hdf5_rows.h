// Rows of an HDF5 dataset: in one piece, or out of the chunks that they lie in.
#pragma once

#include <memory>
#include <string>

#include "hearth/data/array/array_rows.h"
#include "hearth/data/array/chunk_cache.h"
#include "hearth/data/opened_file.h"
#include "hearth/format/hdf5.h"

namespace hearth {

// Reads whole rows. `what` is how messages call the dataset.
[[nodiscard]] ArrayRows::ReadAt hdf5_rows(Hdf5Dataset dataset,
                                          std::shared_ptr<const OpenedFile> file,
                                          std::shared_ptr<ChunkCache> cache, std::string what);

}  // namespace hearth
