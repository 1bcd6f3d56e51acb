// An optimizer's step where processes share out what is remembered: each moves its share of the
// values, then all get all of them.
#include <ATen/ops/empty.h>
#include <ATen/ops/norm.h>
#include <ATen/ops/scalar_tensor.h>

#include <algorithm>
#include <cmath>

#include "hearth/base/error.h"
#include "hearth/optim/fast_values.h"
#include "hearth/optim/gradient_norm.h"
#include "hearth/optim/optimizer.h"

namespace hearth {
namespace {

// All values as they lie in memory.
at::Tensor whole_row(const at::Tensor& tensor) {
  if (!tensor.is_non_overlapping_and_dense())
    throw InternalError("A parameter whose values do not lie together cannot be shared out.");
  return tensor.detach().as_strided({tensor.numel()}, {1}, tensor.storage_offset());
}

int64_t chunks_of(const at::Tensor& parameter) {
  return (parameter.numel() + kUpdateChunk - 1) / kUpdateChunk;
}

// Of two dimensions and less the order in memory never changes; weights of convolutions are packed
// and unpacked, in which a part of them would not stay together.
bool keeps_its_order(const at::Tensor& parameter) {
  return parameter.dim() <= 2 && parameter.is_contiguous();
}

}  // namespace

std::vector<SharedParameter> Optimizer::shared_parameters() const {
  const auto slots = static_cast<size_t>(std::count_if(
      memory_.slots().begin(), memory_.slots().end(),
      [](const OptimizerSlot& slot) { return !slot.is_on_every_rank && !slot.has_own_shape; }));
  OptimizerMemory::Entry entry;
  entry.slots.resize(memory_.slots().size());
  const Moment start{0, 0, {1, 1, 1}};
  std::vector<SharedParameter> all;
  bool are_fast = true;
  for (size_t i = 0; i < parameters_.size(); ++i) {
    const at::Tensor& parameter = parameters_[i].second;
    const std::optional<UpdateRule> found = rule(entry, {start, 0, sizes_[i].size() < 2});
    const bool is_fast =
        found && found->formula->fast != nullptr && has_fast_values(kernels_, parameter);
    are_fast = are_fast && is_fast;
    const size_t tensors = std::max<size_t>(found ? found->formula->slots : slots, 1);
    all.push_back(
        {parameters_[i].first, parameter.numel(),
         parameter.requires_grad() ? static_cast<int64_t>(parameter.element_size() * tensors) : 0,
         is_fast && found->formula->measure == nullptr && keeps_its_order(parameter)});
  }
  if (!are_fast)  // then some step may need whole parameters of all
    for (SharedParameter& parameter : all) parameter.can_be_cut = false;
  return all;
}

at::Tensor Optimizer::own_values(const at::Tensor& tensor, size_t index) const {
  if (!shares().are_shared() || !is_cut(index)) return tensor;
  const ValueRange own = shares().own(index);
  return whole_row(tensor).narrow(0, own.begin, own.size());
}

bool Optimizer::is_cut(size_t index) const {
  return shares().has(index) && shares().own(index).size() != parameters_[index].second.numel();
}

std::vector<size_t> Optimizer::with_gradients() const {
  std::vector<size_t> found;
  for (size_t i = 0; i < parameters_.size(); ++i)
    if (parameters_[i].second.grad().defined()) found.push_back(i);
  return found;
}

void Optimizer::step_share(const Moment& moment, double clip_norm,
                           const OptimizerReplicas& replicas) {
  if (replicas.shares == nullptr || !replicas.others.empty())
    throw InternalError("An optimizer that has a share of its parameters is asked to move all.");
  const std::vector<size_t> moved = with_gradients();
  for (const size_t index : moved) begin_average(index);
  const bool is_fast = can_move_share_fast(moment);
  if (is_fast)
    move_share_fast(moment, clip_norm, replicas);
  else
    move_share_plain(moment, clip_norm, *replicas.shares);
  std::vector<ShareExchange::Row> rows;
  for (const size_t index : moved) rows.push_back({index, whole_row(parameters_[index].second)});
  replicas.shares->spread(shares(), rows);
  average_all(is_fast, replicas.crew);
  for (const size_t index : moved) {
    memory_.at(index).steps += 1;
    parameters_[index].second.unsafeGetTensorImpl()->bump_version();
  }
}

// All processes find the same, whatever they have a share of.
bool Optimizer::can_move_share_fast(const Moment& moment) {
  pending_.clear();
  for (size_t i = 0; i < parameters_.size(); ++i) {
    const at::Tensor& parameter = parameters_[i].second;
    const at::Tensor& gradient = parameter.grad();
    if (!gradient.defined() && (!average_ || !average(i).defined())) continue;
    if (!has_fast_values(kernels_, parameter)) return false;
    if (!gradient.defined()) continue;
    if (!goes_fast(kernels_, gradient)) return false;
    const std::optional<UpdateRule> numbers = ruler(i).rule(memory_.at(i), step_of(i, moment));
    if (!numbers || numbers->formula->fast == nullptr) return false;
    if (!shares().has(i)) continue;
    const bool is_whole = gradient.numel() == parameter.numel();
    pending_.push_back(
        {i, {is_whole ? own_values(laid_out_like(gradient, parameter), i) : gradient}, *numbers});
  }
  return true;
}

void Optimizer::move_share_fast(const Moment& moment, double clip_norm,
                                const OptimizerReplicas& replicas) {
  gather_spans(moment);
  const float scale =
      clip_norm > 0 ? hearth::clip_factor(norm_of_all_shares(replicas), clip_norm) : 1;
  update_scaled_spans(spans_, scale, replicas.crew);
  for (const Pending& pending : pending_)
    ruler(pending.index).remember(memory_.at(pending.index), step_of(pending.index, moment));
}

// Every process has the sums of some parts; they are added in the order in which one process would.
double Optimizer::norm_of_all_shares(const OptimizerReplicas& replicas) {
  std::vector<int> owners;
  std::vector<size_t> begins;
  for (size_t i = 0; i < parameters_.size(); ++i) {
    begins.push_back(owners.size());
    for (int64_t chunk = 0; chunk < chunks_of(parameters_[i].second); ++chunk)
      owners.push_back(shares().owner(i, chunk * kUpdateChunk));
  }
  std::vector<double> sums(owners.size());
  size_t at = 0;
  const std::vector<double> own = gradient_squares(spans_, replicas.crew);
  for (const Pending& pending : pending_) {
    const ValueRange& range = shares().own(pending.index);
    for (int64_t begin = range.begin; begin < range.end; begin += kUpdateChunk)
      sums[begins[pending.index] + static_cast<size_t>(begin / kUpdateChunk)] = own[at++];
  }
  replicas.shares->complete(sums, owners);
  double sum = 0;
  for (const double part : sums) sum += part;
  return std::sqrt(sum);
}

void Optimizer::move_share_plain(const Moment& moment, double clip_norm, ShareExchange& shares) {
  if (needs_shapes()) (void)parameters();
  follow_parameters();
  if (clip_norm > 0) clip_share(clip_norm, shares);
  for (const size_t index : with_gradients()) {
    if (!memory_.shares().has(index)) continue;
    if (is_cut(index)) throw InternalError("An optimizer needs a parameter whole that was cut.");
    move_one(index, moment);
  }
}

void Optimizer::clip_share(double clip_norm, ShareExchange& shares) {
  const std::vector<size_t> moved = with_gradients();
  if (moved.empty()) return;
  std::vector<double> numbers;
  std::vector<int> owners;
  for (const size_t index : moved) {
    owners.push_back(memory_.shares().owner(index, 0));
    const bool is_own = owners.back() == memory_.shares().rank();
    numbers.push_back(is_own ? at::norm(parameters_[index].second.grad(), 2).item<double>() : 0);
  }
  shares.complete(numbers, owners);
  std::vector<at::Tensor> norms;
  for (size_t k = 0; k < moved.size(); ++k)
    norms.push_back(
        at::scalar_tensor(numbers[k], parameters_[moved[k]].second.grad().scalar_type()));
  const at::Tensor factor = hearth::clip_factor(norm_of_norms(norms), clip_norm);
  for (const size_t index : moved)
    if (memory_.shares().has(index)) parameters_[index].second.mutable_grad().mul_(factor);
}

void Optimizer::average_all(bool is_fast, Crew* crew) {
  if (!average_) return;
  std::vector<UpdateSpan> spans;
  for (size_t i = 0; i < parameters_.size(); ++i) {
    if (!is_fast) follow_average(i);
    if (!is_fast || !average(i).defined()) continue;
    const at::Tensor& parameter = parameters_[i].second;
    OptimizerMemory::Entry& entry = memory_.at(i);
    UpdateSpan& span = spans.emplace_back();
    span.size = parameter.numel();
    span.parameter = parameter.data_ptr<float>();
    span.average = slot_values(entry.slots.back(), parameter);
    span.average_keep = static_cast<float>(average_decay(entry));
    span.average_take = static_cast<float>(1 - average_decay(entry));
  }
  update_scaled_spans(spans, 1, crew);
}

std::vector<NamedTensor> Optimizer::whole_gradients(ShareExchange& shares) const {
  std::vector<ShareExchange::Row> rows;
  for (const size_t index : with_gradients()) {
    const at::Tensor& gradient = parameters_[index].second.grad();
    const ValueRange& own = memory_.shares().own(index);
    const at::Tensor row = at::empty({parameters_[index].second.numel()}, gradient.options());
    if (own.size() > 0) row.narrow(0, own.begin, own.size()).copy_(whole_row(gradient));
    rows.push_back({index, row});
  }
  shares.spread(memory_.shares(), rows);
  std::vector<NamedTensor> whole;
  for (const ShareExchange::Row& row : rows) {
    const auto& [name, parameter] = parameters_[row.parameter];
    whole.emplace_back(name, row.values.as_strided(parameter.sizes(), parameter.strides()));
  }
  return whole;
}

}  // namespace hearth
