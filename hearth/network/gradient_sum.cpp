// One sum of gradients over all ranks.
#include "hearth/network/gradient_sum.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>
#include <c10/core/GradMode.h>

#include <algorithm>

#include "hearth/kernels/weight/weight_order.h"
#include "hearth/tensor/tree_sum.h"

namespace hearth {

GradientSum::GradientSum(Ways ways, std::vector<Handles> shards, size_t running,
                         const std::vector<size_t>& order)
    : ways_(std::move(ways)),
      shards_(std::move(shards)),
      bucket_of_(shards_[0].size()),
      missing_(shards_[0].size(), running),
      was_here_(shards_[0].size()) {
  const std::vector<std::vector<size_t>> groups = shared_out(order);
  for (size_t i = 0; i < groups.size(); ++i) {
    const std::string what = ways_.who + "gradients, bucket " + std::to_string(i + 1) + " of " +
                             std::to_string(groups.size());
    buckets_.push_back({groups[i],
                        parcel_of(groups[i]),
                        {ways_.group, ways_.tree, ways_.group.reserve(kTurnsOfParcel), what},
                        {},
                        running * groups[i].size()});
    for (const size_t parameter : groups[i]) bucket_of_[parameter] = i;
  }
}

GradientSum::~GradientSum() {
  try {
    ways_.courier.wait();
  } catch (const std::exception&) {  // what went wrong has been said, or comes with the next call
  }
}

// Parameters of each bucket, of one dtype.
std::vector<std::vector<size_t>> GradientSum::shared_out(const std::vector<size_t>& order) const {
  const Exchange::Buckets wanted = ways_.exchange.buckets();
  std::vector<std::vector<size_t>> groups;
  int64_t left = 0;
  for (const size_t index : order) {
    const at::Tensor& parameter = shards_[0][index].second;
    if (!parameter.requires_grad()) continue;
    const bool is_other =
        groups.empty() || shards_[0][groups.back()[0]].second.dtype() != parameter.dtype();
    if (is_other || left <= 0) {
      left = groups.empty() ? wanted.first_bytes : wanted.bytes;
      groups.emplace_back();
    }
    groups.back().push_back(index);
    left -= static_cast<int64_t>(parameter.nbytes());
  }
  return groups;
}

Parcel GradientSum::parcel_of(const std::vector<size_t>& parameters) const {
  Parcel parcel;
  int64_t begin = 0;
  for (const size_t index : parameters) {
    const auto& [name, parameter] = shards_[0][index];
    parcel.parts.push_back({name, parameter, begin});
    begin += parameter.numel();
  }
  return parcel;
}

void GradientSum::found(size_t parameter) noexcept {
  try {
    const std::scoped_lock lock(mutex_);
    if (missing_[parameter] == 0) return;
    if (--missing_[parameter] == 0) found_.push_back(parameter);
    --buckets_[bucket_of_[parameter]].missing;
    send_complete();
  } catch (...) {
    const std::scoped_lock lock(mutex_);
    if (!error_) error_ = std::current_exception();
  }
}

void GradientSum::send_complete() {
  while (!error_ && next_ < buckets_.size() && buckets_[next_].missing == 0)
    send(buckets_[next_++]);
}

void GradientSum::send(Bucket& bucket) {
  const c10::AutoGradMode no_gradients(false);
  if (ways_.shares != nullptr) return send_shares(bucket);
  Parcel& parcel = bucket.parcel;
  const Parcel::Part& last = parcel.parts.back();
  parcel.row = at::empty({last.begin + last.parameter.numel()},
                         last.parameter.options().requires_grad(false));
  for (size_t i = 0; i < parcel.parts.size(); ++i) {
    const Parcel::Part& part = parcel.parts[i];
    const at::Tensor place = parcel.row.narrow(0, part.begin, part.parameter.numel());
    if (const at::Tensor sum = own_sum(bucket.parameters[i]); sum.defined())
      place.copy_(as_row(laid_out_like(sum, part.parameter)));
    else
      place.fill_(-0.0);
  }
  bucket.pending = ways_.exchange.send(parcel, bucket.post);
  ways_.courier.add([this, &bucket] {
    bucket.pending = ways_.exchange.go_on(bucket.parcel, bucket.pending.wait(), bucket.post);
  });
}

at::Tensor GradientSum::own_sum(size_t parameter) const {
  std::vector<at::Tensor> gradients;
  for (const Handles& shard : shards_) {
    const at::Tensor& gradient = shard[parameter].second.grad();
    const bool is_alone = shards_.size() == 1 || !gradient.defined();
    gradients.push_back(is_alone ? gradient
                                 : laid_out_like(gradient, shards_[0][parameter].second));
  }
  return tree_sum(gradients);
}

void GradientSum::send_rest() {
  const std::scoped_lock lock(mutex_);
  for (size_t i = next_; i < buckets_.size(); ++i) buckets_[i].missing = 0;
  std::fill(missing_.begin(), missing_.end(), 0);
  send_complete();
}

at::Tensor GradientSum::gradients_here() const {
  const at::Tensor here = at::zeros({static_cast<int64_t>(shards_[0].size())}, at::kByte);
  auto* has = here.data_ptr<uint8_t>();
  for (const Handles& shard : shards_)
    for (size_t i = 0; i < shard.size(); ++i)
      if (was_here_[i] || shard[i].second.grad().defined()) has[i] = 1;
  return here;
}

void GradientSum::finish() {
  const c10::AutoGradMode no_gradients(false);
  send_rest();
  if (error_) std::rethrow_exception(error_);
  const at::Tensor here = gradients_here();
  const std::vector<int64_t> sizes(static_cast<size_t>(ways_.group.size()), here.numel());
  Pending anywhere = ways_.group.all_gather_into("which gradients there are", here, sizes);
  ways_.courier.wait();
  const at::Tensor gradients_anywhere =
      std::get<0>(anywhere.wait().view({ways_.group.size(), -1}).max(0));
  for (Bucket& bucket : buckets_) {
    if (ways_.shares != nullptr) {
      take_out_shares(bucket, gradients_anywhere);
      continue;
    }
    ways_.exchange.arrive(bucket.parcel, bucket.pending.wait(), bucket.post);
    take_out(bucket, gradients_anywhere);
  }
  for (size_t shard = 1; shard < shards_.size(); ++shard)
    for (const auto& [name, parameter] : shards_[shard]) parameter.mutable_grad() = at::Tensor();
}

void GradientSum::take_out(const Bucket& bucket, const at::Tensor& gradients_anywhere) const {
  const auto* has_any = gradients_anywhere.data_ptr<uint8_t>();
  for (size_t i = 0; i < bucket.parameters.size(); ++i) {
    const Parcel::Part& part = bucket.parcel.parts[i];
    const at::Tensor sum = bucket.parcel.values(part);
    // What an exchange held back before may come in a step that found nothing.
    const bool has_gradient = has_any[bucket.parameters[i]] != 0 || sum.ne(0).any().item<bool>();
    part.parameter.mutable_grad() = has_gradient ? sum : at::Tensor();
  }
}

std::vector<size_t> GradientSum::order_found() const {
  std::vector<size_t> order = found_;
  for (size_t i = shards_[0].size(); i-- > 0;)
    if (std::find(found_.begin(), found_.end(), i) == found_.end()) order.push_back(i);
  return order;
}

}  // namespace hearth
