// What is known of every sample of a set.
#include "hearth/train/sample_history.h"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {
namespace {

constexpr int64_t kMostFollowed = 1'000'000'000;  // 6 GB
constexpr size_t kMostGathered = 64;              // batches
enum Answer : uint8_t { kNone, kIsWrong, kIsRight };

template <class T>
at::Tensor copied(const std::vector<T>& values, at::ScalarType type) {
  const at::Tensor tensor = at::empty({static_cast<int64_t>(values.size())}, type);
  if (!values.empty()) std::memcpy(tensor.data_ptr(), values.data(), values.size() * sizeof(T));
  return tensor;
}

template <class T>
void copy_back(const at::Tensor& tensor, at::ScalarType type, std::vector<T>& values) {
  if (tensor.numel() != static_cast<int64_t>(values.size()) || tensor.scalar_type() != type)
    throw DataError("the checkpoint's losses of samples are of another set: it has " +
                    std::to_string(tensor.numel()) + ", the set " + std::to_string(values.size()) +
                    " samples.");
  if (!values.empty())
    std::memcpy(values.data(), tensor.contiguous().data_ptr(), values.size() * sizeof(T));
}

size_t checked_count(int64_t samples) {
  if (samples > kMostFollowed)
    throw DataError("a set of " + human_count(static_cast<uint64_t>(samples)) +
                    " samples is too large to follow each: at most " +
                    human_count(static_cast<uint64_t>(kMostFollowed)) +
                    ". Follow a `subset` of it, or use worst_samples.");
  return static_cast<size_t>(samples);
}

}  // namespace

SampleHistory::SampleHistory(int64_t samples)
    : losses_(checked_count(samples), std::numeric_limits<float>::quiet_NaN()),
      answers_(losses_.size(), kNone),
      forgotten_(losses_.size(), 0) {}

void SampleHistory::add(std::span<const int64_t> samples, const at::Tensor& losses,
                        const at::Tensor& is_right) {
  batches_.push_back({{samples.begin(), samples.end()}, losses, is_right});
  if (batches_.size() >= kMostGathered) settle();
}

void SampleHistory::settle() const {
  for (const Batch& batch : batches_) take(batch);
  batches_.clear();
}

void SampleHistory::take(const Batch& batch) const {
  const at::Tensor losses = batch.losses.to(at::kCPU, at::kFloat).contiguous();
  const at::Tensor right =
      batch.is_right.defined() ? batch.is_right.to(at::kCPU).contiguous() : at::Tensor();
  for (size_t row = 0; row < batch.samples.size(); ++row) {
    const auto sample = static_cast<size_t>(batch.samples[row]);
    if (sample >= losses_.size()) continue;
    const float loss = losses.data_ptr<float>()[row];
    // Not a number stands for what was never seen.
    losses_[sample] = std::isnan(loss) ? std::numeric_limits<float>::infinity() : loss;
    const uint8_t before = answers_[sample];
    answers_[sample] = !right.defined() ? kNone : right.data_ptr<bool>()[row] ? kIsRight : kIsWrong;
    if (before == kIsRight && answers_[sample] == kIsWrong && forgotten_[sample] < 255)
      ++forgotten_[sample];
  }
}

bool SampleHistory::was_seen(int64_t sample) const {
  return !std::isnan(losses_[static_cast<size_t>(sample)]);
}

const std::vector<float>& SampleHistory::losses() {
  settle();
  return losses_;
}

std::vector<int64_t> SampleHistory::hardest(int64_t count) {
  settle();
  std::vector<int64_t> seen;
  for (int64_t i = 0; i < size(); ++i)
    if (was_seen(i)) seen.push_back(i);
  const auto kept = std::min<int64_t>(count, static_cast<int64_t>(seen.size()));
  std::partial_sort(seen.begin(), seen.begin() + kept, seen.end(), [&](int64_t a, int64_t b) {
    return loss(a) != loss(b) ? loss(a) > loss(b) : a < b;
  });
  seen.resize(static_cast<size_t>(kept));
  return seen;
}

std::vector<int64_t> SampleHistory::forgotten(int64_t count) {
  settle();
  std::vector<int64_t> found;
  for (int64_t i = 0; i < size(); ++i)
    if (times_forgotten(i) > 0) found.push_back(i);
  const auto kept = std::min<int64_t>(count, static_cast<int64_t>(found.size()));
  std::partial_sort(found.begin(), found.begin() + kept, found.end(), [&](int64_t a, int64_t b) {
    const int64_t more = times_forgotten(a) - times_forgotten(b);
    return more != 0 ? more > 0 : loss(a) != loss(b) ? loss(a) > loss(b) : a < b;
  });
  found.resize(static_cast<size_t>(kept));
  return found;
}

std::vector<std::pair<std::string, double>> SampleHistory::summary() {
  settle();
  double seen = 0, sum = 0, wrong = 0, forgotten = 0;
  for (int64_t i = 0; i < size(); ++i) {
    if (!was_seen(i)) continue;
    ++seen;
    sum += loss(i);
    wrong += answers_[static_cast<size_t>(i)] == kIsWrong ? 1 : 0;
    forgotten += times_forgotten(i) > 0 ? 1 : 0;
  }
  return {{"seen", seen},
          {"mean_loss", seen > 0 ? sum / seen : 0},
          {"wrong", wrong},
          {"forgotten", forgotten}};
}

std::vector<NamedTensor> SampleHistory::tensors() const {
  settle();
  return {{"losses", copied(losses_, at::kFloat)},
          {"answers", copied(answers_, at::kByte)},
          {"forgotten", copied(forgotten_, at::kByte)}};
}

void SampleHistory::restore(const State& state) {
  batches_.clear();
  copy_back(state.tensor("losses"), at::kFloat, losses_);
  copy_back(state.tensor("answers"), at::kByte, answers_);
  copy_back(state.tensor("forgotten"), at::kByte, forgotten_);
}

}  // namespace hearth
