// LibTorch's store of keys and values that all ranks reach.
#include "hearth/cluster/key_store.h"

#include <algorithm>
#include <thread>
#include <torch/csrc/distributed/c10d/HashStore.hpp>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include "hearth/base/text.h"
#include "hearth/cluster/key_store_internal.h"
#include "hearth/cluster/wait_notes.h"
#include "hearth/launch/cluster_error.h"
#include "hearth/launch/rank_place.h"
#include "hearth/launch/sockets.h"

namespace hearth {
namespace {

using StorePointer = c10::intrusive_ptr<c10d::Store>;
using std::chrono::milliseconds;

constexpr milliseconds kPause{100};
constexpr milliseconds kLeastConnecting{1000};  // LibTorch counts whole seconds there

StorePointer connect(const RankPlace& place, bool serves, milliseconds timeout) {
  c10d::TCPStoreOptions options;
  options.port = place.port;
  options.isServer = serves;
  options.waitWorkers = false;
  options.timeout = std::max(timeout, kLeastConnecting);
  return c10::make_intrusive<c10d::TCPStore>(place.host, options);
}

// Before LibTorch tries to connect, which it does loudly.
void await_server(const RankPlace& place, milliseconds timeout,
                  const std::function<void(const std::string&)>& say) {
  const std::string where = place.host + ":" + std::to_string(place.port);
  WaitNotes notes(say);
  while (!is_listening(place.host, place.port)) {
    const std::string rank = "rank " + std::to_string(place.rank);
    if (notes.waited() > timeout)
      throw ClusterError(rank + " waited for " + human_seconds(notes.seconds()) +
                         " for rank 0, which should listen at " + where +
                         ".\n  Next: see whether rank 0 runs, and whether this host can reach it.");
    notes.tell([&] { return rank + " waits for rank 0, at the start (" + where + ")"; });
    std::this_thread::sleep_for(kPause);
  }
}

std::unique_ptr<KeyStore> with_prefix(const std::string& attempt, StorePointer store,
                                      milliseconds timeout) {
  store = c10::make_intrusive<c10d::PrefixStore>("hearth/" + attempt, std::move(store));
  store->setTimeout(timeout);
  return std::make_unique<KeyStore>(
      std::make_unique<KeyStore::Handle>(KeyStore::Handle{std::move(store)}));
}

StorePointer server_of(const RankPlace& place, milliseconds timeout) {
  try {
    return connect(place, true, timeout);
  } catch (const std::exception&) {
    throw ClusterError("rank 0 cannot listen at port " + std::to_string(place.port) +
                       ": another program does.\n  Next: end the earlier run, or choose another "
                       "port (MASTER_PORT, or hearth launch --master HOST:PORT).");
  }
}

// LibTorch's server listens on all addresses, whatever host it is given.
StorePointer serve(const RankPlace& place, milliseconds timeout,
                   const std::function<void(const std::string&)>& say) {
  StorePointer server = server_of(place, timeout);
  if (is_loopback(place.host) && !keep_to_loopback(place.port))
    say("port " + std::to_string(place.port) +
        ", where the ranks meet, can be reached from the network too: this system does not let "
        "it be kept to the host.");
  return server;
}

}  // namespace

KeyStore::KeyStore(std::unique_ptr<Handle> handle) : handle_(std::move(handle)) {}
KeyStore::~KeyStore() = default;

void KeyStore::set(const std::string& key, std::string_view value) {
  handle_->store->set(key, std::vector<uint8_t>(value.begin(), value.end()));
}

std::string KeyStore::get(const std::string& key) {
  const std::vector<uint8_t> value = handle_->store->get(key);
  return {value.begin(), value.end()};
}

bool KeyStore::has(const std::string& key) { return handle_->store->check({key}); }

int64_t KeyStore::count(const std::string& key) { return handle_->store->add(key, 1); }

OpenStore open_tcp_store(const RankPlace& place, milliseconds start_timeout,
                         const std::function<void(const std::string&)>& say) {
  StorePointer server;
  if (place.rank == 0 && place.serves_store)
    server = serve(place, start_timeout, say);
  else
    await_server(place, start_timeout, say);
  return [place, server](milliseconds timeout) {
    return with_prefix(place.attempt, connect(place, false, timeout), timeout);
  };
}

OpenStore open_hash_store() {
  const StorePointer store = c10::make_intrusive<c10d::HashStore>();
  return [store](milliseconds) {
    return std::make_unique<KeyStore>(std::make_unique<KeyStore::Handle>(KeyStore::Handle{store}));
  };
}

}  // namespace hearth
