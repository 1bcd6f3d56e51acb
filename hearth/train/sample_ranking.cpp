// The samples with the highest numbers of all that were seen.
#include "hearth/train/sample_ranking.h"

#include <ATen/ops/full_like.h>
#include <ATen/ops/stack.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

namespace hearth {
namespace {

// Little memory, and few waits for a device.
constexpr size_t kMostBatches = 64;

bool comes_before(const RankedSample& left, const RankedSample& right) {
  return left.number != right.number ? left.number > right.number : left.sample < right.sample;
}

}  // namespace

void SampleRanking::add(std::span<const int64_t> samples, const at::Tensor& numbers,
                        const at::Tensor& labels, const at::Tensor& predicted) {
  const at::Tensor first = numbers.to(at::kDouble);
  const at::Tensor none = at::full_like(first, -1);
  const auto column = [&](const at::Tensor& given) {
    return given.defined() ? given.to(at::kDouble) : none;
  };
  batches_.push_back(
      {{samples.begin(), samples.end()}, at::stack({first, column(labels), column(predicted)}, 1)});
  if (batches_.size() >= kMostBatches) settle();
}

void SampleRanking::settle() {
  best_ = ranked();
  batches_.clear();
}

std::vector<RankedSample> SampleRanking::ranked() const {
  std::vector<RankedSample> all = best_;
  for (const Batch& batch : batches_) {
    const at::Tensor columns = batch.columns.to(at::kCPU).contiguous();
    const auto* row = columns.data_ptr<double>();
    for (size_t i = 0; i < batch.samples.size(); ++i, row += 3)
      all.push_back({batch.samples[i], ranking_number(row[0]), static_cast<int64_t>(row[1]),
                     static_cast<int64_t>(row[2])});
  }
  std::sort(all.begin(), all.end(), comes_before);
  std::vector<RankedSample> kept;
  std::set<int64_t> seen;
  for (const RankedSample& row : all)
    if (static_cast<int64_t>(kept.size()) < count_ && seen.insert(row.sample).second)
      kept.push_back(row);
  return kept;
}

void SampleRanking::clear() {
  best_.clear();
  batches_.clear();
}

Json SampleRanking::state() const {
  Json state = Json::array();
  for (const RankedSample& row : ranked())
    state.push_back({row.sample, row.number, row.label, row.predicted});
  return state;
}

void SampleRanking::restore(const Json& state) {
  clear();
  for (const Json& row : state) best_.push_back({row.at(0), row.at(1), row.at(2), row.at(3)});
}

}  // namespace hearth
