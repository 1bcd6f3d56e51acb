// Tensors from rank to rank, sent from and received into their own memory: through memory that the
// ranks of one host share, and over LibTorch's gloo.
#pragma once

#include <ATen/core/Tensor.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "hearth/cluster/group.h"
#include "hearth/cluster/watch.h"

namespace hearth {

class HostWire;
class KeyStore;

class Wire : public std::enable_shared_from_this<Wire> {
 public:
  struct Gloo;
  // Connects to all ranks; `address` is ours. `host` reaches those that share memory with us; null:
  // none.
  static std::shared_ptr<Wire> connect(std::shared_ptr<Watch> watch,
                                       std::unique_ptr<KeyStore> store,
                                       std::unique_ptr<HostWire> host, const RankPlace& place,
                                       const std::string& address,
                                       std::chrono::milliseconds timeout);
  Wire(std::shared_ptr<Watch> watch, std::unique_ptr<Gloo> gloo, std::unique_ptr<HostWire> host);
  ~Wire();
  Wire(const Wire&) = delete;
  Wire& operator=(const Wire&) = delete;

  struct Piece {
    at::Tensor values;
    int rank;
  };
  // A tag for an operation that starts later; never 0.
  [[nodiscard]] int reserve();
  // Pieces without values are left out. `result` is what waiting gives. Without a tag it takes the
  // next.
  [[nodiscard]] Pending start(std::string_view what, const std::vector<Piece>& sends,
                              const std::vector<Piece>& receives, at::Tensor result, int tag = 0);

  // Between two ranks, beside the operations that all take part in: in the order of sending,
  // whatever others do. Over gloo always, also on one host.
  void pass_to(std::string_view what, const Piece& piece, int lane);
  void take_from(std::string_view what, const Piece& piece, int lane);
  // The same for who has nothing else to do: keeps nobody waiting, and is false when it was
  // stopped. Nothing may come in this lane after that.
  [[nodiscard]] bool await_from(const Piece& piece, int lane, const std::stop_token& stop);
  [[nodiscard]] Watch& watch() { return *watch_; }
  [[nodiscard]] uint64_t sent_bytes() const { return sent_bytes_; }

 private:
  friend struct Pending::Transfer;
  [[nodiscard]] std::unique_ptr<Pending::Transfer> begin_lane(std::string_view what,
                                                              const Piece& piece, int lane,
                                                              bool is_receiving);
  void abort_all();
  void move(Pending::Transfer& transfer, const Piece& piece, int tag, bool is_receiving);

  std::shared_ptr<Watch> watch_;
  std::unique_ptr<Gloo> gloo_;
  std::unique_ptr<HostWire> host_;
  std::mutex mutex_;
  std::set<Pending::Transfer*> transfers_;
  int next_tag_ = 0;
  std::atomic<uint64_t> sent_bytes_ = 0;
};

}  // namespace hearth
