// Bytes between the ranks of one host.
#include "hearth/cluster/host_wire.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <stdexcept>
#include <utility>

namespace hearth {
namespace {

constexpr size_t kLine = 64;
constexpr size_t kMostOfAll = size_t{64} << 20;
constexpr size_t kMostOfRing = size_t{2} << 20;
constexpr size_t kLeastOfRing = size_t{64} << 10;
constexpr std::chrono::milliseconds kStaysAsleep{50};

// First the block's own mark, then a bell for each rank, then a ring for each two.
size_t ring_bytes(size_t ranks) {
  const size_t rings = std::max<size_t>(ranks * (ranks - 1), 1);
  return std::clamp(kMostOfAll / rings, kLeastOfRing, kMostOfRing) / kLine * kLine;
}

size_t begin_of_rings(size_t ranks) { return kLine * (1 + ranks); }

Bell* bell_at(std::byte* memory, size_t place) {
  return std::launder(reinterpret_cast<Bell*>(memory + kLine * (1 + place)));
}

ByteRing ring_at(std::byte* memory, size_t ranks, size_t from, size_t to) {
  const size_t index = from * (ranks - 1) + (to > from ? to - 1 : to);
  return {memory + begin_of_rings(ranks) + index * ring_bytes(ranks), ring_bytes(ranks)};
}

std::byte* as_bytes(void* bytes) { return static_cast<std::byte*>(bytes); }

}  // namespace

size_t HostWire::bytes_for(size_t ranks) {
  return begin_of_rings(ranks) + ranks * (ranks - 1) * ring_bytes(ranks);
}

HostWire::HostWire(std::unique_ptr<SharedBlock> block, const std::vector<int>& ranks, int own)
    : block_(std::move(block)) {
  const auto begin = ranks.begin();
  const auto here = static_cast<size_t>(std::find(begin, ranks.end(), own) - begin);
  own_bell_ = bell_at(block_->bytes(), here);
  for (size_t place = 0; place < ranks.size(); ++place) {
    if (place == here) continue;
    places_[ranks[place]] = peers_.size();
    peers_.push_back(
        {ranks[place], static_cast<int>(place), ring_at(block_->bytes(), ranks.size(), here, place),
         ring_at(block_->bytes(), ranks.size(), place, here), bell_at(block_->bytes(), place)});
  }
}

void HostWire::send(Errand& errand, int rank, int tag, const void* bytes, size_t count) {
  const std::lock_guard lock(mutex_);
  ++errand.left[rank];
  peer(rank).sendings.push_back({&errand, tag, static_cast<const std::byte*>(bytes), count});
  move(peer(rank));
}

void HostWire::receive(Errand& errand, int rank, int tag, void* bytes, size_t count) {
  const std::lock_guard lock(mutex_);
  Peer& from = peer(rank);
  ++errand.left[rank];
  if (const auto early = from.early.find(tag); early != from.early.end()) {
    if (early->second.count != count) refuse_size();
    std::memcpy(bytes, early->second.bytes.get(), count);
    from.early.erase(early);
    --errand.left[rank];
    return;
  }
  from.receivings[tag] = {&errand, as_bytes(bytes), count};
  if (from.coming && from.coming->tag == tag) {
    if (from.coming->count != count) refuse_size();
    std::memcpy(bytes, from.coming->into, from.coming->here);
    from.coming->into = as_bytes(bytes);
    from.coming->early.reset();
  }
}

// Nothing is moved any more: what comes next would be read as something else.
void HostWire::refuse_size() {
  is_broken_ = true;
  throw std::runtime_error("a message is of another size");
}

void HostWire::move_all() {
  for (Peer& peer : peers_) move(peer);
}

// The other side is told of every piece, so that it copies one while we copy the next.
void HostWire::move(Peer& peer) {
  if (is_broken_) return;
  while (write_some(peer)) peer.bell->ring();
  if (!peer.sendings.empty()) {
    peer.out.ask_for_room();
    while (write_some(peer)) peer.bell->ring();
  }
  while (!is_broken_ && read_some(peer))
    if (peer.in.is_room_awaited()) peer.bell->ring();
}

bool HostWire::write_some(Peer& peer) {
  if (peer.sendings.empty()) return false;
  Sending& next = peer.sendings.front();
  const bool begins = !next.has_begun;
  if (begins) {
    if (peer.out.room() < sizeof(Head)) return false;
    const Head head{next.tag, next.count};
    (void)peer.out.put(reinterpret_cast<const std::byte*>(&head), sizeof(head));
    next.has_begun = true;
  }
  const size_t sent = peer.out.put(next.bytes + next.sent, next.count - next.sent);
  next.sent += sent;
  if (next.sent == next.count) {
    --next.errand->left[peer.rank];
    peer.sendings.pop_front();
  }
  return begins || sent > 0;
}

bool HostWire::read_some(Peer& peer) {
  const bool has_begun = !peer.coming && begin_coming(peer);
  if (!peer.coming) return false;
  Coming& coming = *peer.coming;
  const size_t count = peer.in.take(coming.into + coming.here, coming.count - coming.here);
  coming.here += count;
  if (coming.here == coming.count) end_coming(peer);
  return has_begun || count > 0;
}

bool HostWire::begin_coming(Peer& peer) {
  Head head{};
  if (peer.in.there() < sizeof(head)) return false;
  (void)peer.in.take(reinterpret_cast<std::byte*>(&head), sizeof(head));
  const int tag = static_cast<int>(head.tag);
  if (const auto known = peer.receivings.find(tag); known != peer.receivings.end()) {
    if (known->second.count != head.count) refuse_size();
    peer.coming = {tag, head.count, known->second.bytes};
    return true;
  }
  auto early = std::make_unique_for_overwrite<std::byte[]>(head.count);
  std::byte* into = early.get();
  peer.coming = {tag, head.count, into, 0, std::move(early)};
  return true;
}

void HostWire::end_coming(Peer& peer) {
  Coming coming = std::move(*peer.coming);
  peer.coming.reset();
  if (coming.early) {
    peer.early[coming.tag] = {std::move(coming.early), coming.count};
    return;
  }
  const auto known = peer.receivings.find(coming.tag);
  --known->second.errand->left[peer.rank];
  peer.receivings.erase(known);
}

bool HostWire::is_done(Errand& errand) {
  const std::lock_guard lock(mutex_);
  move_all();
  return std::all_of(errand.left.begin(), errand.left.end(),
                     [](const auto& left) { return left.second == 0; });
}

void HostWire::wait(Errand& errand, const std::function<void()>& look) {
  if (errand.left.empty()) return;
  while (true) {
    const uint32_t seen = own_bell_->rings();
    if (is_done(errand)) return;
    if (own_bell_->await(seen, kStaysAsleep)) continue;
    look();
    look_for_lost(errand);
  }
}

// Who has ended has sent all it will: that is taken first.
void HostWire::look_for_lost(Errand& errand) {
  std::vector<int> lost;
  for (const Peer& peer : peers_)
    if (!block_->is_taken(peer.place)) lost.push_back(peer.rank);
  if (lost.empty() || is_done(errand)) return;
  const std::lock_guard lock(mutex_);
  for (const int rank : lost)
    if (const auto left = errand.left.find(rank); left != errand.left.end() && left->second > 0)
      throw std::runtime_error("rank " + std::to_string(rank) + " has ended");
}

void HostWire::drop(Errand& errand) noexcept {
  const std::lock_guard lock(mutex_);
  if (std::all_of(errand.left.begin(), errand.left.end(),
                  [](const auto& left) { return left.second == 0; }))
    return;
  is_broken_ = true;
}

}  // namespace hearth
