// The operations of a group, all made of sending and receiving.
#include "hearth/cluster/group.h"

#include <ATen/ops/empty.h>

#include <cstring>
#include <numeric>

#include "hearth/base/text.h"
#include "hearth/cluster/group_links.h"
#include "hearth/format/json.h"
#include "hearth/launch/cluster_error.h"

namespace hearth {
namespace {

using Pieces = std::vector<Wire::Piece>;
constexpr int kSizeLane = 0;
constexpr int kBytesLane = 1;

at::Tensor bytes_tensor(int64_t size) { return at::empty({size}, at::kByte); }

at::Tensor as_bytes(std::string_view text) {
  at::Tensor bytes = bytes_tensor(static_cast<int64_t>(text.size()));
  std::memcpy(bytes.data_ptr(), text.data(), text.size());
  return bytes;
}

std::string as_text(const at::Tensor& bytes) {
  return {static_cast<const char*>(bytes.data_ptr()), static_cast<size_t>(bytes.numel())};
}

int64_t size_in(const at::Tensor& bytes) {
  int64_t size = 0;
  std::memcpy(&size, bytes.data_ptr(), sizeof(size));
  return size;
}

int64_t sum_of(const std::vector<int64_t>& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t{0});
}

void check_sizes(std::string_view what, const at::Tensor& own, const std::vector<int64_t>& sizes,
                 int ranks, int64_t expected) {
  if (static_cast<int>(sizes.size()) == ranks && own.dim() == 1 && own.is_contiguous() &&
      own.numel() == expected)
    return;
  throw InternalError(std::string(what) + ": " + std::to_string(own.numel()) + " values and " +
                      std::to_string(sizes.size()) + " sizes for " + std::to_string(ranks) +
                      " ranks do not fit together.");
}

// Everybody's tensor when all know its sizes and dtype already.
std::vector<at::Tensor> swap(Group::Links& links, std::string_view what, const at::Tensor& own,
                             std::vector<at::Tensor> all) {
  Pieces sends;
  Pieces receives;
  for (int rank = 0; rank < links.place.size; ++rank) {
    if (rank == links.place.rank) continue;
    sends.push_back({own, rank});
    receives.push_back({all[static_cast<size_t>(rank)], rank});
  }
  all[static_cast<size_t>(links.place.rank)] = own;
  links.wire->start(what, sends, receives, {}).wait();
  return all;
}

// One who is alone has it all.
Pending deliver(Group::Links* links, std::string_view what, const Pieces& sends,
                const Pieces& receives, const at::Tensor& result, Turn turn) {
  return links != nullptr ? links->wire->start(what, sends, receives, result, turn.tag)
                          : Pending(result);
}

std::string layout_of(const at::Tensor& tensor) {
  return json_line(nlohmann::json{static_cast<int>(tensor.scalar_type()), tensor.sizes().vec()});
}

at::Tensor empty_with(const std::string& layout) {
  const nlohmann::json json = parse_json(layout, "a tensor's layout");
  return at::empty(json.at(1).get<std::vector<int64_t>>(),
                   static_cast<at::ScalarType>(json.at(0).get<int>()));
}

}  // namespace

Group::Group() = default;
Group::Group(std::unique_ptr<Links> links) : links_(std::move(links)) {}
Group::~Group() = default;

int Group::rank() const noexcept { return links_ ? links_->place.rank : 0; }
int Group::size() const noexcept { return links_ ? links_->place.size : 1; }

uint64_t Group::sent_bytes() const noexcept { return links_ ? links_->wire->sent_bytes() : 0; }

void Group::barrier(std::string_view what) { (void)gather(what, ""); }

std::vector<std::string> Group::gather(std::string_view what, std::string_view own) {
  if (!links_) return {std::string(own)};
  const auto count = static_cast<size_t>(size());
  std::vector<at::Tensor> sizes(count);
  for (at::Tensor& size : sizes) size = at::empty({1}, at::kLong);
  at::Tensor own_size = at::empty({1}, at::kLong);
  *own_size.data_ptr<int64_t>() = static_cast<int64_t>(own.size());
  sizes = swap(*links_, what, own_size, std::move(sizes));
  std::vector<at::Tensor> texts;
  for (const at::Tensor& size : sizes) texts.push_back(bytes_tensor(*size.data_ptr<int64_t>()));
  std::vector<std::string> all;
  for (const at::Tensor& text : swap(*links_, what, as_bytes(own), std::move(texts)))
    all.push_back(as_text(text));
  return all;
}

std::string Group::broadcast(std::string_view what, std::string_view own) {
  return gather(what, is_first() ? own : "").front();
}

std::vector<at::Tensor> Group::all_gather(std::string_view what, const at::Tensor& own) {
  if (!links_) return {own};
  const at::Tensor here = own.contiguous();
  std::vector<at::Tensor> all;
  for (const std::string& layout : gather(what, layout_of(here))) all.push_back(empty_with(layout));
  return swap(*links_, what, here, std::move(all));
}

std::vector<at::Tensor> Group::gather_to_first(std::string_view what, const at::Tensor& own) {
  if (!links_) return {own};
  at::Tensor size = at::empty({1}, at::kLong);
  *size.data_ptr<int64_t>() = own.numel();
  const std::vector<int64_t> one_each(static_cast<size_t>(this->size()), 1);
  const at::Tensor sizes = all_gather_into(what, size, one_each).wait();
  std::vector<at::Tensor> all;
  Pieces receives;
  for (int rank = 0; is_first() && rank < this->size(); ++rank) {
    all.push_back(rank == 0 ? own : bytes_tensor(sizes.data_ptr<int64_t>()[rank]));
    if (rank > 0) receives.push_back({all.back(), rank});
  }
  links_->wire->start(what, is_first() ? Pieces() : Pieces{{own, 0}}, receives, {}).wait();
  return all;
}

void Group::broadcast_into(std::string_view what, const std::vector<at::Tensor>& tensors) {
  if (!links_) return;
  for (const at::Tensor& tensor : tensors) {
    const at::Tensor here =
        is_first() ? tensor.contiguous() : at::empty(tensor.sizes(), tensor.options());
    Pieces pieces;
    for (int rank = 1; is_first() && rank < size(); ++rank) pieces.push_back({here, rank});
    if (!is_first()) pieces.push_back({here, 0});
    links_->wire->start(what, is_first() ? pieces : Pieces(), is_first() ? Pieces() : pieces, {})
        .wait();
    if (!is_first()) tensor.copy_(here);
  }
}

std::vector<Turn> Group::reserve(size_t count) {
  std::vector<Turn> turns(count);
  for (Turn& turn : turns)
    if (links_) turn.tag = links_->wire->reserve();
  return turns;
}

Pending Group::all_to_all(std::string_view what, const at::Tensor& own,
                          const std::vector<int64_t>& sizes, Turn turn) {
  check_sizes(what, own, sizes, size(), sum_of(sizes));
  const int64_t mine = sizes[static_cast<size_t>(rank())];
  at::Tensor result = at::empty({size(), mine}, own.options());
  Pieces sends;
  Pieces receives;
  int64_t start = 0;
  for (int other = 0; other < size(); ++other) {
    const int64_t count = sizes[static_cast<size_t>(other)];
    const at::Tensor piece = own.narrow(0, start, count);
    start += count;
    if (other == rank()) {
      result.select(0, other).copy_(piece);
      continue;
    }
    sends.push_back({piece, other});
    receives.push_back({result.select(0, other), other});
  }
  return deliver(links_.get(), what, sends, receives, result, turn);
}

Pending Group::all_gather_into(std::string_view what, const at::Tensor& own,
                               const std::vector<int64_t>& sizes, Turn turn) {
  check_sizes(what, own, sizes, size(), sizes.at(static_cast<size_t>(rank())));
  const at::Tensor all = at::empty({sum_of(sizes)}, own.options());
  const int64_t start = std::accumulate(sizes.begin(), sizes.begin() + rank(), int64_t{0});
  all.narrow(0, start, own.numel()).copy_(own);
  return all_gather_in_place(what, all, sizes, turn);
}

Pending Group::all_gather_in_place(std::string_view what, const at::Tensor& all,
                                   const std::vector<int64_t>& sizes, Turn turn) {
  check_sizes(what, all, sizes, size(), sum_of(sizes));
  std::vector<at::Tensor> parts;
  int64_t start = 0;
  for (const int64_t count : sizes) {
    parts.push_back(all.narrow(0, start, count));
    start += count;
  }
  Pieces sends;
  Pieces receives;
  for (int other = 0; other < size(); ++other) {
    if (other == rank()) continue;
    sends.push_back({parts[static_cast<size_t>(rank())], other});
    receives.push_back({parts[static_cast<size_t>(other)], other});
  }
  return deliver(links_.get(), what, sends, receives, all, turn);
}

void Group::send_to(int rank, std::string_view what, const at::Tensor& bytes) {
  const at::Tensor size = bytes_tensor(sizeof(int64_t));
  const int64_t count = bytes.numel();
  std::memcpy(size.data_ptr(), &count, sizeof(count));
  links_->wire->pass_to(what, {size, rank}, kSizeLane);
  if (count > 0) links_->wire->pass_to(what, {bytes, rank}, kBytesLane);
}

at::Tensor Group::receive_from(int rank, std::string_view what) {
  const at::Tensor size = bytes_tensor(sizeof(int64_t));
  links_->wire->take_from(what, {size, rank}, kSizeLane);
  at::Tensor bytes = bytes_tensor(size_in(size));
  if (bytes.numel() > 0) links_->wire->take_from(what, {bytes, rank}, kBytesLane);
  return bytes;
}

at::Tensor Group::await_from(int rank, const std::stop_token& stop) {
  const at::Tensor size = bytes_tensor(sizeof(int64_t));
  if (!links_->wire->await_from({size, rank}, kSizeLane, stop)) return {};
  at::Tensor bytes = bytes_tensor(size_in(size));
  if (bytes.numel() > 0 && !links_->wire->await_from({bytes, rank}, kBytesLane, stop)) return {};
  return bytes;
}

void Group::count_operation(std::string_view what) {
  if (links_) links_->watch->begin_operation(what);
}

void Group::while_waiting(std::string_view what, const std::function<void()>& wait) {
  if (!links_) return wait();
  links_->watch->begin_waiting(what);
  wait();
  links_->watch->end_waiting();
}

void Group::check() const {
  if (links_) links_->watch->check();
}

void Group::agree(std::string_view subject, std::string_view own) {
  if (!links_) return;
  const std::vector<std::string> all = gather("comparing the " + std::string(subject), own);
  for (size_t rank = 1; rank < all.size(); ++rank)
    if (all[rank] != all[0])
      throw ClusterError("rank 0 and rank " + std::to_string(rank) + " differ in the " +
                         std::string(subject) + ": " + quote(all[0]) + " and " + quote(all[rank]) +
                         ".\n  Next: start all ranks with the same.");
}

void Group::doing(std::string_view what) {
  if (links_) links_->watch->doing(what);
}

void Group::fail(std::string_view message) noexcept {
  if (links_) links_->watch->fail(message);
}

void Group::leave() {
  if (!links_) return;
  barrier("the end");
  links_->watch->leave();
}

}  // namespace hearth
