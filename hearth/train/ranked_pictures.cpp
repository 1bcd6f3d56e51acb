// The pictures of the samples that are ranked highest.
#include "hearth/train/ranked_pictures.h"

#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/stack.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace hearth {
namespace {

// A sample may come several times: the row with the number that it is ranked by.
int64_t row_of(const RankedSample& ranked, const PictureRows& rows, const at::Tensor& numbers) {
  const auto* number = numbers.data_ptr<double>();
  for (size_t i = 0; i < rows.samples.size(); ++i)
    if (rows.samples[i] == ranked.sample && ranking_number(number[i]) == ranked.number)
      return static_cast<int64_t>(i);
  return -1;
}

}  // namespace

void RankedPictures::keep(std::span<const RankedSample> ranked, const PictureRows& rows,
                          const Spec& spec) {
  spec_ = spec;
  const at::Tensor numbers = rows.numbers.to(at::kCPU, at::kDouble).contiguous();
  std::map<int64_t, Kept> before = std::exchange(kept_, {});
  for (const RankedSample& each : ranked) {
    const auto found = before.find(each.sample);
    if (found != before.end() && found->second.number == each.number)
      kept_.insert(before.extract(found));
    else if (const int64_t row = row_of(each, rows, numbers); row >= 0)
      kept_[each.sample] = {each.number, rows.pictures[row].to(at::kCPU).clone()};
  }
}

ShownValue RankedPictures::shown(std::span<const RankedSample> ranked) const {
  int64_t height = 0, width = 0;
  for (const auto& [sample, kept] : kept_) {
    height = std::max(height, kept.picture.size(-2));
    width = std::max(width, kept.picture.size(-1));
  }
  std::vector<at::Tensor> pictures;
  for (const RankedSample& each : ranked) {
    const at::Tensor& picture = kept_.at(each.sample).picture;
    pictures.push_back(
        at::constant_pad_nd(picture, {0, width - picture.size(-1), 0, height - picture.size(-2)}));
  }
  return {at::stack(pictures), spec_};
}

Json RankedPictures::state() const {
  Json numbers = Json::array();
  for (const auto& [sample, kept] : kept_) numbers.push_back({sample, kept.number});
  return {{"numbers", numbers}, {"spec", spec_.to_json()}};
}

void RankedPictures::restore(const Json& state) {
  clear();
  for (const Json& each : state.at("numbers"))
    kept_[each.at(0).get<int64_t>()].number = each.at(1).get<double>();
  spec_ = Spec::from_json(state.at("spec"));
}

std::vector<NamedTensor> RankedPictures::tensors() const {
  std::vector<NamedTensor> named;
  for (const auto& [sample, kept] : kept_) named.emplace_back(std::to_string(sample), kept.picture);
  return named;
}

void RankedPictures::restore_tensors(const State& state) {
  for (auto& [sample, kept] : kept_) kept.picture = state.tensor(std::to_string(sample));
}

}  // namespace hearth
