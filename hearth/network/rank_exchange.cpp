// What the processes that share a training tell each other in a step.
#include "hearth/network/rank_exchange.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/network/exchanges/exact.h"

namespace hearth {
namespace {

std::vector<std::string> names_of(const Handles& parameters) {
  std::vector<std::string> names;
  for (const auto& [name, parameter] : parameters) names.push_back(name);
  return names;
}

std::string place_of_rank(int rank) { return "exchange/rank_" + std::to_string(rank); }

bool has_any(const State& state) { return !state.tensors.empty() || !state.values.empty(); }

int ranks_of(const Json& values, int otherwise) { return values.value("ranks", otherwise); }

constexpr size_t kBytesOfMeans = size_t{16} << 20;
constexpr int64_t kLeastEnvelope = 1024;
constexpr int64_t kSizeBytes = 8;

// The size, and the bytes where they fit.
at::Tensor enclosed(const at::Tensor& bytes, int64_t envelope) {
  const at::Tensor all = at::empty({envelope}, at::kByte);
  const int64_t size = bytes.numel();
  std::memcpy(all.data_ptr(), &size, sizeof(size));
  if (size <= envelope - kSizeBytes) all.narrow(0, kSizeBytes, size).copy_(bytes);
  return all;
}

int64_t enclosed_size(const at::Tensor& envelope) {
  int64_t size = 0;
  std::memcpy(&size, envelope.data_ptr(), sizeof(size));
  return size;
}

std::vector<TensorPacket> packets_in(const at::Tensor& all, int64_t envelope) {
  std::vector<TensorPacket> packets;
  for (int64_t begin = 0; begin < all.numel(); begin += envelope) {
    const at::Tensor one = all.narrow(0, begin, envelope);
    packets.push_back(TensorPacket::of(one.narrow(0, kSizeBytes, enclosed_size(one))));
  }
  return packets;
}

}  // namespace

RankExchange::RankExchange(Group& group, int64_t shards, std::unique_ptr<Exchange> exchange,
                           int zero)
    : group_(group),
      tree_(shards, group.size()),
      zero_(zero),
      shares_(group),
      exact_(registry<Exchange>().make(exchanges::exact())),
      exchange_(exchange ? std::move(exchange) : registry<Exchange>().make(exchanges::exact())) {}

RankExchange::~RankExchange() = default;

Exchange& RankExchange::exchange_now() const {
  return steps_ < exchange_->exact_steps() ? *exact_ : *exchange_;
}

// The last layers' gradients are found first, as a rule.
std::vector<size_t> RankExchange::order_of(const Handles& parameters) const {
  if (const auto known = orders_.find(names_); known != orders_.end()) return known->second;
  std::vector<size_t> order(parameters.size());
  std::iota(order.rbegin(), order.rend(), size_t{0});
  return order;
}

std::shared_ptr<GradientSum> RankExchange::begin_sum(std::vector<Handles> shards, size_t running,
                                                     const std::string& who,
                                                     const ParameterShares* shares) {
  sum_.reset();
  names_ = names_of(shards[0]);
  const std::vector<size_t> order = order_of(shards[0]);
  sum_ = std::make_shared<GradientSum>(
      GradientSum::Ways{group_, tree_, exchange_now(), courier_, who, shares}, std::move(shards),
      running, order);
  return sum_;
}

void RankExchange::finish_sum() {
  sum_->finish();
  if (!orders_.contains(names_)) agree_on_order(names_, *sum_);
  sum_.reset();
}

void RankExchange::agree_on_order(const std::vector<std::string>& names, const GradientSum& sum) {
  const std::string first =
      group_.broadcast("the order of gradients", Json(sum.order_found()).dump());
  orders_[names] = Json::parse(first).get<std::vector<size_t>>();
}

std::vector<State> RankExchange::gather_to_first(std::string_view what, const State& own) {
  std::vector<State> all;
  for (const at::Tensor& bytes : group_.gather_to_first(what, packet_of(own).bytes()))
    all.push_back(state_of(TensorPacket::of(bytes)));
  return all;
}

bool RankExchange::count_step() {
  const bool was_exact = steps_ < exchange_->exact_steps();
  if (was_exact) ++steps_;
  if (was_exact || !lets_apart()) return false;
  return ++steps_apart_ >= exchange_->steps_apart();
}

void RankExchange::take_means(std::string_view what, const std::vector<at::Tensor*>& tensors) {
  std::vector<at::Tensor> rows;
  for (const at::Tensor* tensor : tensors) rows.push_back(tensor->detach().reshape({-1}));
  const at::Tensor row = at::cat(rows);
  Post post(group_, tree_, group_.reserve(kTurnsOfParcel), std::string(what));
  post.own_piece(row).copy_(post.sum(post.to_each(row).wait()).div_(post.ranks()));
  (void)post.complete(row).wait();
  int64_t begin = 0;
  for (at::Tensor* tensor : tensors) {
    *tensor = row.narrow(0, begin, tensor->numel()).view(tensor->sizes());
    begin += tensor->numel();
  }
}

// Many small ones together: each message takes its time.
State RankExchange::mean(std::string_view what, const State& own) {
  State mean = own;
  std::map<at::ScalarType, std::vector<at::Tensor*>> waiting;
  std::map<at::ScalarType, size_t> bytes;
  for (auto& [name, tensor] : mean.tensors) {
    if (!tensor.is_floating_point()) continue;
    const at::ScalarType dtype = tensor.scalar_type();
    waiting[dtype].push_back(&tensor);
    bytes[dtype] += tensor.nbytes();
    if (bytes[dtype] < kBytesOfMeans) continue;
    take_means(what, std::exchange(waiting[dtype], {}));
    bytes[dtype] = 0;
  }
  for (const auto& [dtype, tensors] : waiting)
    if (!tensors.empty()) take_means(what, tensors);
  return mean;
}

State RankExchange::state() const {
  State state;
  State own = exchange_->state();
  const bool has_left = has_any(own);
  if (!has_left && steps_ == 0 && !lets_apart()) return state;
  own.values["ranks"] = group_.size();
  own.values["has_left"] = has_left;
  own.values["steps"] = steps_;
  own.values["steps_apart"] = steps_apart_;
  state.add(place_of_rank(group_.rank()), own);
  return state;
}

// Who comes to a run that others began has made as many steps as the first.
void RankExchange::restore(const State& state) {
  check_exchange_state(state, group_.size());
  State own = state.part(place_of_rank(group_.rank()));
  if (!has_any(own)) own.values = state.part(place_of_rank(0)).values;
  steps_ = own.values.value("steps", int64_t{0});
  const bool are_as_many = ranks_of(own.values, group_.size()) == group_.size();
  steps_apart_ = are_as_many ? own.values.value("steps_apart", int64_t{0}) : 0;
  exchange_->restore(own);
}

std::string RankExchange::own_place() const {
  return "apart/rank_" + std::to_string(group_.rank());
}

State RankExchange::own_part(const State& state) const {
  const Json& values = state.part(place_of_rank(0)).values;
  return ranks_of(values, 0) == group_.size() ? state.part(own_place()) : State();
}

void check_exchange_state(const State& state, int ranks) {
  const Json values = state.part(place_of_rank(0)).values;
  const int saved = ranks_of(values, ranks);
  if (saved == ranks || !values.value("has_left", false)) return;
  throw ConfigError("the checkpoint holds what the gradients of each of " + std::to_string(saved) +
                    " processes left for later steps, but there " +
                    (ranks == 1 ? "is 1" : "are " + std::to_string(ranks)) + ". Go on with " +
                    std::to_string(saved) + " processes, or begin a new run from its weights.");
}

std::vector<TensorPacket> RankExchange::gather(std::string_view what, const TensorPacket& own) {
  const at::Tensor bytes = own.bytes();
  int64_t& envelope = envelopes_.try_emplace(std::string(what), kLeastEnvelope).first->second;
  while (true) {
    const std::vector<int64_t> sizes(static_cast<size_t>(group_.size()), envelope);
    const at::Tensor all = group_.all_gather_into(what, enclosed(bytes, envelope), sizes).wait();
    int64_t largest = 0;
    for (int64_t rank = 0; rank < group_.size(); ++rank)
      largest = std::max(largest, enclosed_size(all.narrow(0, rank * envelope, envelope)));
    if (largest <= envelope - kSizeBytes) return packets_in(all, envelope);
    envelope = (largest + kSizeBytes + kLeastEnvelope - 1) / kLeastEnvelope * kLeastEnvelope;
  }
}

}  // namespace hearth
