// Bytes between the ranks of one host through memory that they share. No thread works at it: who
// waits, or starts something, moves what there is to move for all of its process.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "hearth/cluster/bell.h"
#include "hearth/cluster/byte_ring.h"
#include "hearth/cluster/shared_block.h"

namespace hearth {

class HostWire {
 public:
  // Bytes of memory for as many ranks.
  [[nodiscard]] static size_t bytes_for(size_t ranks);
  // `ranks` are those on this host, in order, alike on all of them; `own` is one of them.
  HostWire(std::unique_ptr<SharedBlock> block, const std::vector<int>& ranks, int own);

  // What somebody waits for together: how many messages are left, of each rank.
  struct Errand {
    std::map<int, int> left;
  };
  [[nodiscard]] bool reaches(int rank) const { return places_.contains(rank); }
  // A message goes where one with the same tag is received. The memory is in use until the errand
  // is done, or dropped.
  void send(Errand& errand, int rank, int tag, const void* bytes, size_t count);
  void receive(Errand& errand, int rank, int tag, void* bytes, size_t count);
  // `look` is called every now and then, and throws what else there is to wait no longer for. A
  // `runtime_error` says who is gone.
  void wait(Errand& errand, const std::function<void()>& look);
  // What is not done is given up, and all else with it: nothing is moved any more.
  void drop(Errand& errand) noexcept;
  // Whoever waits looks.
  void wake() { own_bell_->ring(); }

 private:
  struct Sending {
    Errand* errand;
    int tag;
    const std::byte* bytes;
    size_t count;
    bool has_begun = false;
    size_t sent = 0;
  };
  struct Receiving {
    Errand* errand;
    std::byte* bytes;
    size_t count;
  };
  // What came before anybody asked for it.
  struct Early {
    std::unique_ptr<std::byte[]> bytes;
    size_t count;
  };
  struct Coming {
    int tag;
    size_t count;
    std::byte* into;
    size_t here = 0;
    std::unique_ptr<std::byte[]> early = nullptr;  // unless it is received already
  };
  struct Head {
    int64_t tag;
    uint64_t count;
  };
  struct Peer {
    int rank;
    int place;  // among those on this host
    ByteRing out;
    ByteRing in;
    Bell* bell;
    std::deque<Sending> sendings = {};
    std::map<int, Receiving> receivings = {};
    std::map<int, Early> early = {};
    std::optional<Coming> coming = std::nullopt;
  };
  [[nodiscard]] Peer& peer(int rank) { return peers_[places_.at(rank)]; }
  void move_all();
  void move(Peer& peer);
  [[nodiscard]] static bool write_some(Peer& peer);
  [[nodiscard]] bool read_some(Peer& peer);
  [[nodiscard]] bool begin_coming(Peer& peer);
  [[noreturn]] void refuse_size();
  static void end_coming(Peer& peer);
  [[nodiscard]] bool is_done(Errand& errand);
  void look_for_lost(Errand& errand);

  std::unique_ptr<SharedBlock> block_;
  std::mutex mutex_;
  std::vector<Peer> peers_;
  std::map<int, size_t> places_;  // in that list, by their ranks
  Bell* own_bell_;
  bool is_broken_ = false;
};

}  // namespace hearth
