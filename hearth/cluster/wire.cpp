// Tensors from rank to rank.
#include "hearth/cluster/wire.h"

#include <condition_variable>
#include <cstdlib>
#include <thread>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>

#include "hearth/cluster/host_wire.h"
#include "hearth/cluster/key_store_internal.h"
#include "hearth/launch/cluster_error.h"
#include "hearth/launch/sockets.h"

namespace hearth {
namespace {

using GlooPointer = c10::intrusive_ptr<c10d::ProcessGroupGloo>;
using WorkPointer = c10::intrusive_ptr<c10d::Work>;
constexpr int kLastTag = 1 << 30;
constexpr std::chrono::milliseconds kLook{50};
constexpr std::chrono::milliseconds kIdle = std::chrono::hours(24 * 365);

// Gloo connects for as long as its timeout, whatever becomes of the others: on a thread of its own,
// which is left behind when the watch finds a fault.
struct Connecting {
  std::mutex mutex;
  std::condition_variable changed;
  bool is_over = false;
  GlooPointer gloo;
  std::string fault;
};

// GLOO_SOCKET_IFNAME is what PyTorch's users know for a host with several networks.
std::shared_ptr<gloo::transport::Device> device_at(const std::string& address) {
  const char* interface = std::getenv("GLOO_SOCKET_IFNAME");
  if (interface != nullptr && !is_loopback(address))
    return c10d::ProcessGroupGloo::createDeviceForInterface(interface);
  return c10d::ProcessGroupGloo::createDeviceForHostname(address);
}

void connect_gloo(Connecting& state, const c10::intrusive_ptr<c10d::Store>& store,
                  const RankPlace& place, const std::string& address,
                  std::chrono::milliseconds timeout) {
  GlooPointer gloo;
  std::string fault;
  try {
    auto options = c10d::ProcessGroupGloo::Options::create(timeout);
    options->devices.push_back(device_at(address));
    options->threads = 1;  // its threads are for sums, of which we ask none
    gloo = c10::make_intrusive<c10d::ProcessGroupGloo>(store, place.rank, place.size, options);
  } catch (const std::exception& error) {
    fault = error.what();
  }
  const std::lock_guard lock(state.mutex);
  state.gloo = std::move(gloo);
  state.fault = fault;
  state.is_over = true;
  state.changed.notify_all();
}

}  // namespace

struct Wire::Gloo {
  GlooPointer group;
};

struct Pending::Transfer {
  std::shared_ptr<Wire> wire;
  std::string what;
  std::vector<WorkPointer> works;
  HostWire::Errand errand;
  std::vector<Wire::Piece> pieces;  // their memory is in use
  at::Tensor result;

  ~Transfer() {
    if (wire->host_) wire->host_->drop(errand);
    const std::lock_guard lock(wire->mutex_);
    wire->transfers_.erase(this);
  }
  void wait() {
    Watch& watch = wire->watch();
    watch.begin_waiting(what);
    wait_on_host(watch);
    for (const WorkPointer& work : works) {
      bool is_done = false;
      try {
        is_done = work->wait();
      } catch (const std::exception& error) {
        watch.blame(what, error.what());
      }
      if (!is_done) watch.blame(what, "it was given up");
    }
    watch.end_waiting();
  }
  // Before all else: what gloo has begun goes on by itself.
  void wait_on_host(Watch& watch) {
    if (!wire->host_) return;
    try {
      wire->host_->wait(errand, [&] { watch.check(); });
    } catch (const ClusterError&) {
      throw;
    } catch (const std::exception& error) {
      watch.blame(what, error.what());
    }
  }
};

Pending::Pending() = default;
Pending::Pending(std::unique_ptr<Transfer> transfer) : transfer_(std::move(transfer)) {}
Pending::Pending(at::Tensor ready) : ready_(std::move(ready)) {}
Pending::Pending(Pending&&) noexcept = default;
Pending& Pending::operator=(Pending&&) noexcept = default;

Pending::~Pending() {
  if (!transfer_) return;
  try {
    transfer_->wait();
  } catch (const std::exception&) {  // an error is on its way already, or comes with the next call
  }
}

at::Tensor Pending::wait() {
  const std::unique_ptr<Transfer> transfer = std::move(transfer_);
  if (!transfer) return std::move(ready_);
  transfer->wait();
  return transfer->result;
}

Wire::Wire(std::shared_ptr<Watch> watch, std::unique_ptr<Gloo> gloo, std::unique_ptr<HostWire> host)
    : watch_(std::move(watch)), gloo_(std::move(gloo)), host_(std::move(host)) {}
Wire::~Wire() { watch_->on_fault(nullptr); }

std::shared_ptr<Wire> Wire::connect(std::shared_ptr<Watch> watch, std::unique_ptr<KeyStore> store,
                                    std::unique_ptr<HostWire> host, const RankPlace& place,
                                    const std::string& address, std::chrono::milliseconds timeout) {
  const auto state = std::make_shared<Connecting>();
  std::thread([state, store = store->handle().store, place, address, timeout] {
    connect_gloo(*state, store, place, address, timeout);
  }).detach();
  std::unique_lock lock(state->mutex);
  watch->begin_waiting("connecting to the other ranks");
  while (!state->changed.wait_for(lock, kLook, [&] { return state->is_over; })) watch->check();
  if (!state->gloo) watch->blame("connecting to the other ranks", state->fault);
  watch->end_waiting();
  auto wire =
      std::make_shared<Wire>(watch, std::make_unique<Gloo>(Gloo{state->gloo}), std::move(host));
  watch->on_fault([weak = std::weak_ptr<Wire>(wire)] {
    if (const auto strong = weak.lock()) strong->abort_all();
  });
  return wire;
}

int Wire::reserve() {
  const std::lock_guard lock(mutex_);
  return next_tag_ = next_tag_ % kLastTag + 1;
}

Pending Wire::start(std::string_view what, const std::vector<Piece>& sends,
                    const std::vector<Piece>& receives, at::Tensor result, int tag) {
  watch_->begin_operation(what);
  auto transfer = std::make_unique<Pending::Transfer>();
  transfer->wire = shared_from_this();
  transfer->what = what;
  transfer->result = std::move(result);
  if (tag == 0) tag = reserve();
  try {
    const std::lock_guard lock(mutex_);
    // Receives first: who sends to us need not wait for us to ask.
    for (const bool is_receiving : {true, false})
      for (const Piece& piece : is_receiving ? receives : sends) {
        if (piece.values.numel() == 0) continue;
        transfer->pieces.push_back(piece);
        move(*transfer, piece, tag, is_receiving);
        if (!is_receiving) sent_bytes_ += piece.values.nbytes();
      }
    transfers_.insert(transfer.get());
  } catch (const std::exception& error) {
    watch_->blame(what, error.what());
  }
  watch_->check();  // a fault found since the first look would not abort it
  return Pending(std::move(transfer));
}

void Wire::move(Pending::Transfer& transfer, const Piece& piece, int tag, bool is_receiving) {
  if (host_ && host_->reaches(piece.rank)) {
    void* bytes = piece.values.data_ptr();
    if (is_receiving)
      return host_->receive(transfer.errand, piece.rank, tag, bytes, piece.values.nbytes());
    return host_->send(transfer.errand, piece.rank, tag, bytes, piece.values.nbytes());
  }
  std::vector<at::Tensor> one = {piece.values};
  transfer.works.push_back(is_receiving ? gloo_->group->recv(one, piece.rank, tag)
                                        : gloo_->group->send(one, piece.rank, tag));
}

std::unique_ptr<Pending::Transfer> Wire::begin_lane(std::string_view what, const Piece& piece,
                                                    int lane, bool is_receiving) {
  watch_->check();
  auto transfer = std::make_unique<Pending::Transfer>();
  transfer->wire = shared_from_this();
  transfer->what = what;
  transfer->pieces.push_back(piece);
  std::vector<at::Tensor> one = {piece.values};
  try {
    const std::lock_guard lock(mutex_);
    const int tag = kLastTag + 1 + lane;
    transfer->works.push_back(is_receiving ? gloo_->group->recv(one, piece.rank, tag)
                                           : gloo_->group->send(one, piece.rank, tag));
    transfers_.insert(transfer.get());
  } catch (const std::exception& error) {
    watch_->blame(what, error.what());
  }
  watch_->check();
  return transfer;
}

void Wire::pass_to(std::string_view what, const Piece& piece, int lane) {
  begin_lane(what, piece, lane, false)->wait();
}

void Wire::take_from(std::string_view what, const Piece& piece, int lane) {
  begin_lane(what, piece, lane, true)->wait();
}

bool Wire::await_from(const Piece& piece, int lane, const std::stop_token& stop) {
  const std::unique_ptr<Pending::Transfer> transfer = begin_lane("a message", piece, lane, true);
  const WorkPointer& work = transfer->works.front();
  const std::stop_callback give_up(stop, [&] { work->abort(); });
  std::string symptom = "it was given up";
  try {
    if (work->wait(kIdle)) return true;
  } catch (const std::exception& error) {
    symptom = error.what();
  }
  if (stop.stop_requested()) return false;
  watch_->blame(transfer->what, symptom);
}

void Wire::abort_all() {
  const std::lock_guard lock(mutex_);
  for (Pending::Transfer* transfer : transfers_)
    for (const WorkPointer& work : transfer->works) work->abort();
  if (host_) host_->wake();
}

}  // namespace hearth
