// What the processes that train together agree on between two batches.
#include "hearth/train/rank_meeting.h"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/cluster/group.h"
#include "hearth/network/tensor_packet.h"
#include "hearth/tensor/tensor_digest.h"

namespace hearth {
namespace {

constexpr int64_t kNowValues = 3;

at::Tensor now_values(const RankNews& now) {
  const at::Tensor values = at::empty({kNowValues}, at::kDouble);
  auto* memory = values.data_ptr<double>();
  memory[0] = now.is_interrupted ? 1 : 0;
  memory[1] = now.seconds;
  memory[2] = now.is_saving ? 1 : 0;
  return values;
}

Json digests_of(const State& state) {
  Json digests = Json::object();
  for (const auto& [name, tensor] : state.tensors) digests[name] = fast_digest_of(tensor);
  return digests;
}

[[noreturn]] void throw_unequal(size_t rank, const std::string& name) {
  throw DataError("the processes no longer hold the same: " + quote(name) + " of rank " +
                  std::to_string(rank) +
                  " is not that of rank 0. Are their machines, libraries and data the same?");
}

}  // namespace

RankMeeting::RankMeeting(std::shared_ptr<Group> group)
    : group_(group && group->size() > 1 ? std::move(group) : nullptr) {}

bool RankMeeting::is_first() const { return is_alone() || group_->is_first(); }

RankNews RankMeeting::agree(const RankNews& own) const {
  if (is_alone()) return own;
  const at::Tensor all =
      group_
          ->all_gather_into("the next batch", now_values(own),
                            std::vector<int64_t>(static_cast<size_t>(group_->size()), kNowValues))
          .wait();
  const auto* values = all.data_ptr<double>();
  RankNews agreed{false, values[1], values[2] != 0};
  for (int64_t at = 0; at < all.numel(); at += kNowValues)
    agreed.is_interrupted = agreed.is_interrupted || values[at] != 0;
  return agreed;
}

std::vector<double> RankMeeting::gather(std::string_view what, double own) const {
  if (is_alone()) return {own};
  const at::Tensor value = at::empty({1}, at::kDouble);
  *value.data_ptr<double>() = own;
  const std::vector<int64_t> one_each(static_cast<size_t>(group_->size()), 1);
  const at::Tensor all = group_->all_gather_into(what, value, one_each).wait();
  return {all.data_ptr<double>(), all.data_ptr<double>() + all.numel()};
}

double RankMeeting::most(std::string_view what, double own) const {
  const std::vector<double> all = gather(what, own);
  return *std::max_element(all.begin(), all.end());
}

double RankMeeting::first(std::string_view what, double own) const {
  return gather(what, own).front();
}

State RankMeeting::broadcast(std::string_view what, const State& state) const {
  if (is_alone()) return state;
  const at::Tensor bytes = group_->is_first() ? packet_of(state).bytes() : at::Tensor();
  const std::string_view own = bytes.defined()
                                   ? std::string_view(static_cast<const char*>(bytes.data_ptr()),
                                                      static_cast<size_t>(bytes.numel()))
                                   : std::string_view();
  const std::string all = group_->broadcast(what, own);
  return state_of(TensorPacket::of(all));
}

void RankMeeting::check_equal(const State& state) const {
  if (is_alone()) return;
  const std::vector<std::string> all =
      group_->gather("comparing parameters", digests_of(state).dump());
  const Json first = Json::parse(all[0]);
  for (size_t rank = 1; rank < all.size(); ++rank) {
    if (all[rank] == all[0]) continue;
    const Json other = Json::parse(all[rank]);
    for (const auto& [name, digest] : first.items())
      if (!other.contains(name) || other.at(name) != digest) throw_unequal(rank, name);
    for (const auto& [name, digest] : other.items())
      if (!first.contains(name)) throw_unequal(rank, name);
  }
}

}  // namespace hearth
