// What follows from a loader's options: threads, parts of a batch, buffers, bytes. For internal
// use.
#pragma once

#include <cstdint>

#include "hearth/data/host_batch.h"
#include "hearth/data/loader.h"

namespace hearth {

// With one more, the caller, all who may work.
[[nodiscard]] int loader_threads(const LoaderOptions& options);
[[nodiscard]] int loader_chunks(const LoaderOptions& options);
// As many batches may be held at once.
[[nodiscard]] int loader_buffers(const LoaderOptions& options);
// The most that are made ahead, and the number of such batches that are.
[[nodiscard]] int most_ahead(const LoaderOptions& options);
[[nodiscard]] int batches_ahead(const LoaderOptions& options, const EpochLayout& layout);
// ConfigError when 64 bits cannot count them.
[[nodiscard]] int64_t loader_bytes(const LoaderOptions& options, int64_t buffer_bytes,
                                   int64_t scratch_bytes);
[[nodiscard]] int64_t batch_size_of(const LoaderOptions& options, int64_t epoch);
// ConfigError for numbers that cannot be.
[[nodiscard]] LoaderOptions checked_loader_options(LoaderOptions options);

}  // namespace hearth
