// One update over many tensors: cut into chunks of equal work, which threads share.
#include "hearth/kernels/update/multi_tensor.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "hearth/kernels/update/multi_tensor_avx2.h"

namespace hearth {
namespace {

// Starting threads costs more than they save below this many values.
constexpr int64_t kLeastSharedUpdate = 32768;

// A part of a span. Its borders depend on the sizes alone, never on the threads.
struct UpdateChunk {
  const UpdateSpan* span;
  int64_t begin;
  int64_t size;
  int64_t values_before;  // in all chunks before this one
};

std::vector<UpdateChunk> update_chunks(std::span<const UpdateSpan> spans) {
  std::vector<UpdateChunk> chunks;
  int64_t before = 0;
  for (const UpdateSpan& span : spans) {
    for (int64_t begin = 0; begin < span.size; begin += kUpdateChunk) {
      const int64_t size = std::min(kUpdateChunk, span.size - begin);
      chunks.push_back({&span, begin, size, before});
      before += size;
    }
  }
  return chunks;
}

float* advanced_values(float* values, int64_t count) {
  return values == nullptr ? nullptr : values + count;
}

UpdateSpan update_slice(const UpdateChunk& chunk) {
  UpdateSpan span = *chunk.span;
  span.size = chunk.size;
  span.parameter += chunk.begin;
  if (span.gradient != nullptr) span.gradient += chunk.begin;
  span.more_begin += chunk.begin;
  for (float*& slot : span.slots) slot = advanced_values(slot, chunk.begin);
  span.average = advanced_values(span.average, chunk.begin);
  return span;
}

size_t first_chunk_from(const std::vector<UpdateChunk>& chunks, int64_t value) {
  const auto found = std::partition_point(
      chunks.begin(), chunks.end(),
      [value](const UpdateChunk& chunk) { return chunk.values_before < value; });
  return static_cast<size_t>(found - chunks.begin());
}

int update_threads(const Crew* crew) {
  if (crew != nullptr) return crew->size();
  return at::in_parallel_region() ? 1 : at::get_num_threads();
}

// Calls work(index) for every chunk. A thread takes neighbouring chunks, the same at every step,
// so that what it touched last time may still be near it.
template <class Work>
void share_chunks(const std::vector<UpdateChunk>& chunks, Crew* crew, const Work& work) {
  const int64_t total = chunks.empty() ? 0 : chunks.back().values_before + chunks.back().size;
  const int threads = update_threads(crew);
  if (threads == 1 || total < kLeastSharedUpdate) {
    for (size_t i = 0; i < chunks.size(); ++i) work(i);
    return;
  }
  const int64_t share = (total + threads - 1) / threads;
  const auto run_share = [&](int thread) {
    const size_t end = first_chunk_from(chunks, share * (thread + 1));
    for (size_t i = first_chunk_from(chunks, share * thread); i < end; ++i) work(i);
  };
  if (crew != nullptr) return crew->run(threads, run_share);
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int thread = 0; thread < threads; ++thread) run_share(thread);
}

std::vector<double> squares_of(const std::vector<UpdateChunk>& chunks, Crew* crew) {
  std::vector<double> sums(chunks.size());
  share_chunks(chunks, crew,
               [&](size_t i) { sums[i] = gradient_squares_avx2(update_slice(chunks[i])); });
  return sums;
}

// Every chunk's sum is added in the order of the chunks.
double gradient_norm_of(const std::vector<UpdateChunk>& chunks, Crew* crew) {
  double sum = 0;
  for (const double part : squares_of(chunks, crew)) sum += part;
  return std::sqrt(sum);
}

void update_slice_of(const UpdateChunk& chunk, float scale) {
  const UpdateSpan span = update_slice(chunk);
  if (span.gradient == nullptr) return average_span_avx2(span);
  span.rule.formula->fast(span, scale * static_cast<float>(span.rule.gradient_factor));
}

bool is_measured(const UpdateSpan& span) {
  return span.gradient != nullptr && span.rule.formula->measure != nullptr;
}

UpdateSizes measured_slice_of(const UpdateChunk& chunk, float scale) {
  if (!is_measured(*chunk.span)) return {};
  const UpdateSpan span = update_slice(chunk);
  return span.rule.formula->measure(span, scale * static_cast<float>(span.rule.gradient_factor));
}

// The first pass of formulas that need norms of whole parameters: the rules become those of the
// second. Sums are added in the order of the chunks, which are those of the spans.
void measure_spans(std::vector<UpdateSpan>& spans, const std::vector<UpdateChunk>& chunks,
                   float scale, Crew* crew) {
  std::vector<UpdateSizes> parts(chunks.size());
  share_chunks(chunks, crew, [&](size_t i) { parts[i] = measured_slice_of(chunks[i], scale); });
  size_t at = 0;
  for (UpdateSpan& span : spans) {
    UpdateSizes sums;
    for (; at < chunks.size() && chunks[at].span == &span; ++at) {
      sums.parameter += parts[at].parameter;
      sums.direction += parts[at].direction;
    }
    if (is_measured(span))
      span.rule.formula->adapt(span.rule, {std::sqrt(sums.parameter), std::sqrt(sums.direction)});
  }
}

}  // namespace

float clip_factor(double norm, double clip_norm) {
  const double factor = clip_norm / (norm + 1e-6);
  return factor > 1 ? 1.0F : static_cast<float>(factor);
}

void update_spans(std::span<const UpdateSpan> spans, double clip_norm, Crew* crew) {
  const float scale =
      clip_norm > 0 ? clip_factor(gradient_norm_of(update_chunks(spans), crew), clip_norm) : 1;
  update_scaled_spans(spans, scale, crew);
}

void update_scaled_spans(std::span<const UpdateSpan> spans, float scale, Crew* crew) {
  std::vector<UpdateSpan> adapted;
  const bool has_measured = std::any_of(spans.begin(), spans.end(), is_measured);
  if (has_measured) adapted.assign(spans.begin(), spans.end());
  const std::vector<UpdateChunk> chunks =
      update_chunks(has_measured ? std::span<const UpdateSpan>(adapted) : spans);
  if (has_measured) measure_spans(adapted, chunks, scale, crew);
  share_chunks(chunks, crew, [&](size_t i) { update_slice_of(chunks[i], scale); });
}

std::vector<double> gradient_squares(std::span<const UpdateSpan> spans, Crew* crew) {
  return squares_of(update_chunks(spans), crew);
}

double gradient_norm(std::span<const UpdateSpan> spans) {
  return gradient_norm_of(update_chunks(spans), nullptr);
}

}  // namespace hearth
