// Rows of a batch, one after another; errors become one text that does not depend on threads.
#include "hearth/data/chunk_worker.h"

#include "hearth/base/error.h"

namespace hearth {

namespace {
constexpr int kReplaceAttempts = 8;
}

ChunkResult ChunkWorker::run(BatchSlot& slot, const EpochOrder& order, int64_t begin, int64_t end) {
  ChunkResult result;
  runner_.bind(slot);
  for (int64_t row = begin; row < end; ++row) {
    if (is_cancelled_.load(std::memory_order_relaxed)) break;
    try {
      run_row(slot, row, order.at(slot.index * options_.batch_size + row), result);
    } catch (...) {
      result.error = std::current_exception();
      result.error_row = row;
      break;
    }
  }
  return result;
}

void ChunkWorker::run_row(BatchSlot& slot, int64_t row, int64_t sample, ChunkResult& result) {
  slot.samples[static_cast<size_t>(row)] = sample;
  const std::string reason = try_sample(slot, row, sample);
  if (reason.empty()) return;
  if (options_.on_error == OnError::kRaise) throw DataError(reason);
  replace(slot, row, sample, reason, result);
}

// Nothing when all went well, otherwise the whole message.
std::string ChunkWorker::try_sample(BatchSlot& slot, int64_t row, int64_t sample) {
  try {
    runner_.run(row, sample, options_.seed);
    return {};
  } catch (const std::exception& error) {
    return message(slot, sample, error.what());
  } catch (...) {
    return message(slot, sample, "threw something that is not a std::exception.");
  }
}

// The substitute depends on seed, epoch and sample only, so every run takes the same one.
void ChunkWorker::replace(BatchSlot& slot, int64_t row, int64_t sample, const std::string& reason,
                          ChunkResult& result) {
  Random random({.seed = options_.seed,
                 .epoch = static_cast<uint32_t>(slot.layout->epoch),
                 .sample = static_cast<uint64_t>(sample),
                 .op = kReplaceOp});
  for (int attempt = 0; attempt < kReplaceAttempts; ++attempt) {
    const int64_t substitute = random.between(0, samples_ - 1);
    if (substitute == sample || !try_sample(slot, row, substitute).empty()) continue;
    slot.samples[static_cast<size_t>(row)] = substitute;
    result.replacements.push_back({row, sample, substitute, reason});
    return;
  }
  throw DataError(reason + " (" + std::to_string(kReplaceAttempts) +
                  " other samples were tried in its place and failed too)");
}

std::string ChunkWorker::message(const BatchSlot& slot, int64_t sample,
                                 const std::string& what) const {
  return "data error at " + options_.name + "[" + std::to_string(sample) + "] (" +
         slot.layout->plan->source->describe(sample) + "): " + runner_.stage() + ": " + what;
}

}  // namespace hearth
