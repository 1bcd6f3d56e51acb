// A sum of gradients of which every rank is sent its share alone: half of what travels when all get
// everything, and no rank keeps gradients that another moves by.
#include <ATen/ops/empty.h>

#include "hearth/kernels/weight/weight_order.h"
#include "hearth/network/gradient_sum.h"

namespace hearth {

// The row holds what the first rank has a share of, then what the second has.
void GradientSum::send_shares(Bucket& bucket) {
  Parcel& parcel = bucket.parcel;
  const ParameterShares& shares = *ways_.shares;
  const Parcel::Part& last = parcel.parts.back();
  const at::Tensor row = at::empty({last.begin + last.parameter.numel()},
                                   last.parameter.options().requires_grad(false));
  std::vector<at::Tensor> sums;
  for (size_t i = 0; i < parcel.parts.size(); ++i) {
    const size_t parameter = bucket.parameters[i];
    const at::Tensor sum = own_sum(parameter);
    was_here_[parameter] = sum.defined();
    sums.push_back(sum.defined() ? as_row(laid_out_like(sum, parcel.parts[i].parameter)) : sum);
    for (const Handles& shard : shards_) shard[parameter].second.mutable_grad() = at::Tensor();
  }
  int64_t begin = 0;
  for (int rank = 0; rank < shares.ranks(); ++rank) {
    const int64_t begin_of_rank = begin;
    for (size_t i = 0; i < sums.size(); ++i) {
      const ValueRange& range = shares.of(bucket.parameters[i], rank);
      if (rank == shares.rank()) bucket.own_begins.push_back(begin - begin_of_rank);
      const at::Tensor place = row.narrow(0, begin, range.size());
      if (sums[i].defined())
        place.copy_(sums[i].narrow(0, range.begin, range.size()));
      else
        place.fill_(-0.0);
      begin += range.size();
    }
    bucket.sizes.push_back(begin - begin_of_rank);
  }
  bucket.pending = bucket.post.to_owners(row, bucket.sizes);
  ways_.courier.add([&bucket] {
    // A copy: the sum lies within what everybody sent.
    bucket.parcel.row = bucket.post.sum(bucket.pending.wait()).clone();
    bucket.pending = Pending();
  });
}

void GradientSum::take_out_shares(const Bucket& bucket,
                                  const at::Tensor& gradients_anywhere) const {
  const auto* has_any = gradients_anywhere.data_ptr<uint8_t>();
  for (size_t i = 0; i < bucket.parameters.size(); ++i) {
    const at::Tensor& parameter = bucket.parcel.parts[i].parameter;
    at::Tensor& gradient = parameter.mutable_grad();
    gradient = at::Tensor();
    if (has_any[bucket.parameters[i]] == 0) continue;
    const int64_t size = ways_.shares->own(bucket.parameters[i]).size();
    gradient = bucket.parcel.row.narrow(0, bucket.own_begins[i], size);
    if (size == parameter.numel() && parameter.is_non_overlapping_and_dense())
      gradient =
          gradient.as_strided(parameter.sizes(), parameter.strides(), gradient.storage_offset());
  }
}

}  // namespace hearth
