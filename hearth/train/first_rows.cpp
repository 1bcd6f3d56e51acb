// The first so many rows of a trace's keys.
#include "hearth/train/first_rows.h"

#include <ATen/ops/cat.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace hearth {

void FirstRows::add(const Happening& happening) {
  const int64_t wanted = most_ - static_cast<int64_t>(samples_.size());
  const int64_t rows = std::min(wanted, static_cast<int64_t>(happening.samples.size()));
  if (rows <= 0) return;
  if (specs_.empty())
    for (const Spec* spec : happening.specs) specs_.push_back(*spec);
  parts_.resize(happening.values.size());
  for (size_t i = 0; i < happening.values.size(); ++i) {
    const at::Tensor& value = happening.values[i];
    // Of batches whose pictures have other sizes than the first's, nothing is taken.
    if (!parts_[i].empty() && parts_[i].front().sizes().slice(1) != value.sizes().slice(1)) return;
  }
  for (size_t i = 0; i < happening.values.size(); ++i)
    parts_[i].push_back(happening.values[i].narrow(0, 0, rows).clone());
  samples_.insert(samples_.end(), happening.samples.begin(), happening.samples.begin() + rows);
}

void FirstRows::clear() {
  samples_.clear();
  parts_.clear();
}

std::vector<at::Tensor> FirstRows::values() const {
  std::vector<at::Tensor> all;
  for (const std::vector<at::Tensor>& parts : parts_) all.push_back(at::cat(parts).to(at::kCPU));
  return all;
}

Json FirstRows::state() const {
  Json specs = Json::array();
  for (const Spec& spec : specs_) specs.push_back(spec.to_json());
  return {{"samples", samples_}, {"specs", specs}};
}

void FirstRows::restore(const Json& state) {
  clear();
  samples_ = state.at("samples").get<std::vector<int64_t>>();
  specs_.clear();
  for (const Json& spec : state.at("specs")) specs_.push_back(Spec::from_json(spec));
}

std::vector<NamedTensor> FirstRows::tensors() const {
  std::vector<NamedTensor> named;
  for (const at::Tensor& value : values()) named.emplace_back(std::to_string(named.size()), value);
  return named;
}

void FirstRows::restore_tensors(const State& state) {
  parts_.clear();
  for (size_t i = 0; i < state.tensors.size(); ++i)
    parts_.push_back({state.tensor(std::to_string(i))});
}

}  // namespace hearth
