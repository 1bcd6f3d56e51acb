// What tensors are like, in numbers.
#include "hearth/train/tensor_statistics.h"

#include <ATen/ops/aminmax.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/histc.h>
#include <ATen/ops/norm.h>
#include <ATen/ops/stack.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "hearth/base/error.h"

namespace hearth {
namespace {

// The one wait.
std::vector<double> fetched(const std::vector<at::Tensor>& numbers) {
  if (numbers.empty()) return {};
  std::vector<at::Tensor> doubles;
  for (const at::Tensor& number : numbers) doubles.push_back(number.to(at::kDouble));
  const at::Tensor all = at::stack(doubles).to(at::kCPU);
  const auto* first = all.data_ptr<double>();
  return {first, first + all.numel()};
}

at::Tensor dead_share(const at::Tensor& given, bool is_channels_first) {
  const bool is_sequence = given.dim() == 3 && !is_channels_first;
  const at::Tensor value = is_sequence ? given.transpose(1, 2) : given;
  const at::Tensor units = value.reshape({value.size(0), value.dim() < 2 ? 1 : value.size(1), -1});
  return units.abs().amax({0, 2}).eq(0).to(at::kFloat).mean();
}

at::Tensor statistic(const at::Tensor& value, const std::string& what, bool is_channels_first) {
  if (what == "mean") return value.mean();
  if (what == "std") return value.std(false);
  if (what == "norm") return at::norm(value, 2);
  if (what == "zeros") return value.eq(0).to(at::kFloat).mean();
  if (what == "dead") return dead_share(value, is_channels_first);
  throw InternalError("there is no statistic '" + what + "'.");
}

std::vector<double> norms_of(std::span<const NamedTensor> tensors) {
  std::vector<at::Tensor> norms;
  for (const auto& [name, tensor] : tensors) norms.push_back(at::norm(tensor, 2));
  return fetched(norms);
}

std::string model_of(const std::string& name) { return name.substr(0, name.find('/')); }

// "net/0.weight" of the layer "net/0".
std::string layer_of(const std::string& name) {
  return name.substr(0, name.find('.', name.find('/')));
}

}  // namespace

std::vector<NamedNumber> statistics_of(std::span<const NamedTensor> tensors,
                                       std::span<const std::string> what,
                                       const std::set<std::string>& channels_first) {
  std::vector<at::Tensor> numbers;
  std::vector<NamedNumber> named;
  for (const auto& [name, tensor] : tensors)
    for (const std::string& each : what) {
      numbers.push_back(statistic(tensor, each, channels_first.contains(name)));
      named.emplace_back(name + "/" + each, 0);
    }
  const std::vector<double> values = fetched(numbers);
  for (size_t i = 0; i < values.size(); ++i) named[i].second = values[i];
  return named;
}

// Two waits: for the ends, then for the counts.
Json histograms_of(std::span<const NamedTensor> tensors, int64_t bins) {
  std::vector<at::Tensor> ends;
  for (const auto& [name, tensor] : tensors) {
    const auto [least, most] = at::aminmax(tensor);
    ends.push_back(least);
    ends.push_back(most);
  }
  const std::vector<double> range = fetched(ends);
  Json all = Json::object();
  std::vector<at::Tensor> counts;
  std::vector<std::string> names;
  for (size_t i = 0; i < tensors.size(); ++i) {
    double from = range[2 * i], to = range[2 * i + 1];
    if (!std::isfinite(from) || !std::isfinite(to)) continue;
    if (from == to) from -= 0.5, to += 0.5;
    counts.push_back(at::histc(tensors[i].second.to(at::kFloat), bins, from, to));
    names.push_back(tensors[i].first);
    all[names.back()] = {{"from", from}, {"to", to}};
  }
  if (counts.empty()) return all;
  const at::Tensor numbers = at::cat(counts).to(at::kCPU, at::kLong);
  const auto* next = numbers.data_ptr<int64_t>();
  for (size_t i = 0; i < names.size(); ++i, next += bins)
    all[names[i]]["counts"] = std::vector<int64_t>(next, next + bins);
  return all;
}

std::vector<NamedNumber> norms_by_group(std::span<const NamedTensor> tensors, bool by_layer) {
  const std::vector<double> norms = norms_of(tensors);
  std::vector<NamedNumber> squares;
  size_t model = 0;  // the place of its sum
  for (size_t i = 0; i < norms.size(); ++i) {
    const std::string& name = tensors[i].first;
    if (squares.empty() || squares[model].first != model_of(name)) {
      model = squares.size();
      squares.emplace_back(model_of(name), 0);
    }
    const std::string group = by_layer ? layer_of(name) : name;
    if (squares.size() == model + 1 || squares.back().first != group)
      squares.emplace_back(group, 0);
    squares[model].second += norms[i] * norms[i];
    squares.back().second += norms[i] * norms[i];
  }
  for (auto& [name, square] : squares) square = std::sqrt(square);
  return squares;
}

}  // namespace hearth
