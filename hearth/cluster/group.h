// The ranks of a run. Every rank calls the same operations in the same order; `what` says what for,
// to those who wait. Nothing here adds numbers: who needs a sum gathers and adds in an order of its
// own, so that bits do not depend on the number of ranks.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace hearth {

// Values on their way. The memory given and the memory received live until it is waited for.
class Pending {
 public:
  struct Transfer;
  Pending();
  explicit Pending(std::unique_ptr<Transfer> transfer);
  explicit Pending(at::Tensor ready);
  Pending(Pending&&) noexcept;
  Pending& operator=(Pending&&) noexcept;
  ~Pending();  // waits too, but for no longer than the ranks are there

  // What the others sent, when it is all here. A `ClusterError` names who is gone, and what it did.
  at::Tensor wait();

 private:
  std::unique_ptr<Transfer> transfer_;
  at::Tensor ready_;
};

// A place in the order of operations, taken before what it is for is there.
struct Turn {
  int tag = 0;  // 0: the next place
};

// One thread at a time calls it; operations may overlap, in the same order on all ranks. Those with
// a turn may start whenever they like, from another thread too.
class Group {
 public:
  // A group of one, for who runs alone: every operation answers at once.
  Group();
  // hearth/cluster/join.h makes it.
  struct Links;
  explicit Group(std::unique_ptr<Links> links);
  ~Group();  // does not wait for the others: `leave` does
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

  [[nodiscard]] int rank() const noexcept;
  [[nodiscard]] int size() const noexcept;
  [[nodiscard]] bool is_first() const noexcept { return rank() == 0; }

  // To all others, since it was joined.
  [[nodiscard]] uint64_t sent_bytes() const noexcept;

  void barrier(std::string_view what);
  // Everybody's bytes, in the order of ranks, on all ranks.
  [[nodiscard]] std::vector<std::string> gather(std::string_view what, std::string_view own);
  // Rank 0's bytes, on all ranks.
  [[nodiscard]] std::string broadcast(std::string_view what, std::string_view own);
  // Everybody's tensor, in the order of ranks; sizes and dtypes may differ.
  [[nodiscard]] std::vector<at::Tensor> all_gather(std::string_view what, const at::Tensor& own);
  // Everybody's bytes in the order of ranks, on rank 0; nothing on the others.
  [[nodiscard]] std::vector<at::Tensor> gather_to_first(std::string_view what,
                                                        const at::Tensor& own);
  // Rank 0's values written over everybody's: sizes, dtypes and order must agree (see `agree`).
  void broadcast_into(std::string_view what, const std::vector<at::Tensor>& tensors);

  // The next `count` places, for operations that start later; not all of them need to be used.
  [[nodiscard]] std::vector<Turn> reserve(size_t count);

  // `own` is one-dimensional and contiguous, sizes[r] values of it for rank r, in this order. Gives
  // a tensor of [size(), sizes[rank()]]: row r is what rank r has for us. `own` must not be written
  // until it is waited for.
  [[nodiscard]] Pending all_to_all(std::string_view what, const at::Tensor& own,
                                   const std::vector<int64_t>& sizes, Turn turn = {});
  // `own` has sizes[rank()] values; gives all of them, one-dimensional, in the order of ranks.
  [[nodiscard]] Pending all_gather_into(std::string_view what, const at::Tensor& own,
                                        const std::vector<int64_t>& sizes, Turn turn = {});
  // The same into memory of the caller's: `all` has the sum of `sizes` values, and rank()'s part of
  // it holds our own already. No copy is made. `wait` gives `all`.
  [[nodiscard]] Pending all_gather_in_place(std::string_view what, const at::Tensor& all,
                                            const std::vector<int64_t>& sizes, Turn turn = {});

  // Straight to one other rank and from it, beside the operations that all take part in: what two
  // ranks send each other comes in the order of sending, whatever the others do. Sending lasts
  // until the other receives. One thread at a time for each rank. `bytes` are of one dimension.
  void send_to(int rank, std::string_view what, const at::Tensor& bytes);
  [[nodiscard]] at::Tensor receive_from(int rank, std::string_view what);
  // The same for a thread that serves another rank and waits for nobody; undefined when it was
  // stopped, after which nothing may be sent to it any more.
  [[nodiscard]] at::Tensor await_from(int rank, const std::stop_token& stop);
  // For waits of another kind, so that whoever is late can be named: something that all ranks do
  // has begun here; `wait` does nothing but wait for others; and a `ClusterError` if one is gone.
  void count_operation(std::string_view what);
  void while_waiting(std::string_view what, const std::function<void()>& wait);
  void check() const;

  // A `ClusterError` that names both sides unless `own` is the same text everywhere; `subject` as
  // in "config", "data fingerprint".
  void agree(std::string_view subject, std::string_view own);

  // What this rank does from here on, for who waits for it: "step 12, forward". Cheap.
  void doing(std::string_view what);
  // This rank ends with an error: the others end too, and say why.
  void fail(std::string_view message) noexcept;
  // The orderly end: returns when all ranks are here. No operation after it.
  void leave();

 private:
  std::unique_ptr<Links> links_;
};

}  // namespace hearth
