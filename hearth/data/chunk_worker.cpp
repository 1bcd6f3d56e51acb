// Rows of a batch, one after another; errors become one text that does not depend on threads.
#include "hearth/data/chunk_worker.h"

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/data/filler_rows.h"
#include "hearth/data/rank_rows.h"

namespace hearth {

namespace {
constexpr int kReplaceAttempts = 8;
}

ChunkResult ChunkWorker::run(BatchBuffer& buffer, const EpochOrder& order, int64_t begin,
                             int64_t end) {
  ChunkResult result;
  runner_.bind(buffer);
  for (int64_t row = begin; row < end; ++row) {
    if (is_cancelled_.load(std::memory_order_relaxed)) break;
    try {
      run_row(buffer, row, order.sample(buffer.index, buffer.first_row + row), result);
    } catch (...) {
      result.error = std::current_exception();
      result.error_row = row;
      break;
    }
  }
  return result;
}

ChunkResult ChunkWorker::finish(BatchBuffer& buffer, const EpochOrder& order,
                                std::vector<Replacement>& failed) {
  ChunkResult result;
  const SampleSet& set = *buffer.layout->set;
  const bool is_whole = !buffer.layout->plan->batch_steps.empty();
  const bool repeats_another = buffer.counts_nothing;  // whose rank tells of it
  try {
    if (is_whole || !goes_along(buffer, order, failed)) remove_failed_rows(buffer, failed);
    finisher_.run(buffer, options_.seed, set.name);
    if (is_whole && options_.ranks > 1) keep_rank_rows(options_, buffer, failed);
    fill_up(buffer);
    if (buffer.counts_nothing) buffer.samples.clear();
    if (repeats_another) failed.clear();
  } catch (const DataError& error) {
    result.error = std::make_exception_ptr(DataError(error.message(), set.place));
    result.error_row = static_cast<int64_t>(buffer.samples.size());
  }
  return result;
}

bool ChunkWorker::goes_along(BatchBuffer& buffer, const EpochOrder& order,
                             std::span<const Replacement> failed) {
  const auto real = static_cast<int64_t>(buffer.samples.size());
  const auto gone = std::count_if(failed.begin(), failed.end(), [](const Replacement& each) {
    return each.substitute == kNoSample;
  });
  if (options_.ranks == 1 || gone < real) return false;
  for (int64_t row = 0; row < order.rows(buffer.index); ++row) {
    if (row >= buffer.first_row && row < buffer.first_row + real) continue;
    const int64_t sample = order.sample(buffer.index, row);
    if (!can_stand_in(buffer, 0, sample)) continue;
    buffer.samples.assign(1, sample);
    buffer.counts_nothing = true;
    return true;
  }
  return false;
}

void ChunkWorker::run_row(BatchBuffer& buffer, int64_t row, int64_t sample, ChunkResult& result) {
  buffer.samples[static_cast<size_t>(row)] = sample;
  std::string reason;
  try {
    reason = try_sample(buffer, row, sample);
  } catch (const FilteredSample&) {
    return result.replacements.push_back({row, sample, kNoSample, ""});
  }
  if (reason.empty()) return;
  if (options_.on_error == OnError::kRaise) throw DataError(reason, buffer.layout->set->place);
  if (options_.on_error == OnError::kMask)
    return result.replacements.push_back({row, sample, kNoSample, reason});
  replace(buffer, row, sample, reason, result);
}

// Nothing when all went well, otherwise the whole message; FilteredSample goes on to the caller.
std::string ChunkWorker::try_sample(BatchBuffer& buffer, int64_t row, int64_t sample) {
  try {
    runner_.run(row, sample, options_.seed);
    return {};
  } catch (const std::exception& error) {
    return message(buffer, sample, error.what());
  } catch (const FilteredSample&) {
    throw;
  } catch (...) {
    return message(buffer, sample, "threw something that is not a std::exception.");
  }
}

bool ChunkWorker::can_stand_in(BatchBuffer& buffer, int64_t row, int64_t sample) {
  try {
    return try_sample(buffer, row, sample).empty();
  } catch (const FilteredSample&) {
    return false;
  }
}

// The substitute depends on seed, epoch and sample only, so every run takes the same one.
void ChunkWorker::replace(BatchBuffer& buffer, int64_t row, int64_t sample,
                          const std::string& reason, ChunkResult& result) {
  const SampleSet& set = *buffer.layout->set;
  Random random({.seed = options_.seed,
                 .epoch = static_cast<uint32_t>(buffer.layout->epoch),
                 .sample = static_cast<uint64_t>(sample),
                 .op = kReplaceOp});
  for (int attempt = 0; attempt < kReplaceAttempts; ++attempt) {
    const int64_t substitute = random.between(0, set.samples - 1);
    if (substitute == sample || !can_stand_in(buffer, row, substitute)) continue;
    buffer.samples[static_cast<size_t>(row)] = substitute;
    result.replacements.push_back({row, sample, substitute, reason});
    return;
  }
  throw DataError(reason + " (" + std::to_string(kReplaceAttempts) +
                      " other samples were tried in its place and failed too)",
                  set.place);
}

std::string ChunkWorker::message(const BatchBuffer& buffer, int64_t sample,
                                 const std::string& what) const {
  return "data error at " + buffer.layout->set->name + "[" + std::to_string(sample) + "] (" +
         buffer.layout->plan->source->describe(sample) + "): " + runner_.stage() + ": " + what;
}

}  // namespace hearth
