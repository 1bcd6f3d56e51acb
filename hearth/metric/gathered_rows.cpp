// Rows of several columns, gathered from batches.
#include "hearth/metric/gathered_rows.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/constant_pad_nd.h>

#include <algorithm>

#include "hearth/metric/bootstrap.h"
#include "hearth/tensor/class_scores.h"

namespace hearth {
namespace {

// Of rows of any lengths, as long as the longest.
at::Tensor joined_rows(const std::vector<at::Tensor>& parts) {
  std::vector<int64_t> longest = parts.front().sizes().vec();
  for (const at::Tensor& part : parts)
    for (size_t i = 1; i < longest.size(); ++i) longest[i] = std::max(longest[i], part.sizes()[i]);
  std::vector<at::Tensor> alike;
  for (const at::Tensor& part : parts) {
    std::vector<int64_t> more;  // from the last dimension on, before and behind
    for (size_t i = longest.size(); i-- > 1;)
      more.insert(more.end(), {0, longest[i] - part.sizes()[i]});
    const bool is_longest = std::all_of(more.begin(), more.end(), [](int64_t n) { return n == 0; });
    const bool is_whole = part.scalar_type() == at::kLong;
    alike.push_back(is_longest ? part
                               : at::constant_pad_nd(part, more, is_whole ? kIgnoredLabel : 0));
  }
  return at::cat(alike);
}

std::string column_name(const std::string& name, size_t index) {
  return name + "_" + std::to_string(index);
}

}  // namespace

void GatheredRows::add(const std::vector<at::Tensor>& columns) {
  columns_.resize(columns.size());
  // What is gathered may lie in a batch's memory, which others wait for.
  for (size_t i = 0; i < columns.size(); ++i) columns_[i].push_back(columns[i].detach().clone());
}

void GatheredRows::add(const GatheredRows& other) {
  if (other.columns_.empty()) return;
  columns_.resize(other.columns_.size());
  for (size_t i = 0; i < columns_.size(); ++i)
    columns_[i].insert(columns_[i].end(), other.columns_[i].begin(), other.columns_[i].end());
}

std::vector<at::Tensor> GatheredRows::joined() const {
  std::vector<at::Tensor> columns;
  for (const std::vector<at::Tensor>& parts : columns_)
    columns.push_back(joined_rows(parts).to(at::kCPU));
  return columns;
}

std::vector<at::Tensor> GatheredRows::all() const {
  std::vector<at::Tensor> columns = joined();
  if (columns.empty()) return columns;
  const at::Tensor order = order_by_value(columns);
  for (at::Tensor& column : columns) column = column.index_select(0, order);
  return columns;
}

void GatheredRows::save(State& state, const std::string& name) const {
  const std::vector<at::Tensor> columns = joined();
  for (size_t i = 0; i < columns.size(); ++i)
    state.tensors.emplace_back(column_name(name, i), columns[i]);
  state.values[name] = columns.size();
}

void GatheredRows::restore(const State& state, const std::string& name) {
  columns_.clear();
  for (size_t i = 0; i < state.values.at(name).get<size_t>(); ++i)
    columns_.push_back({state.tensor(column_name(name, i))});
}

}  // namespace hearth
