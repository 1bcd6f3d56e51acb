// A way in which gradients travel between ranks. For people who write one.
#pragma once

#include "hearth/network/parcel.h"
#include "hearth/network/post.h"
#include "hearth/tensor/state.h"

namespace hearth {

// A parcel holds the sum over this rank's shards when it is sent, and has to hold the same values
// on all ranks when it has arrived. Parameters come in any company, but each once in a step: what
// becomes of a gradient depends on it alone, not on those it travels with. `send` and `go_on` are
// called for different parcels at once.
class Exchange {
 public:
  virtual ~Exchange() = default;

  struct Buckets {
    int64_t first_bytes = int64_t{1} << 20;  // small, so that it is on its way early
    int64_t bytes = int64_t{4} << 20;
    bool overlaps = true;  // sent as soon as a parcel's gradients are there
  };
  [[nodiscard]] virtual Buckets buckets() const { return {}; }

  // Starts the first transfer.
  [[nodiscard]] virtual Pending send(Parcel& parcel, Post& post) = 0;
  // With what the first one brought: starts the second, or hands on what there is for `arrive`.
  [[nodiscard]] virtual Pending go_on(Parcel& parcel, at::Tensor received, Post& post) = 0;
  // With what that brought: the row becomes everybody's.
  virtual void arrive(Parcel& parcel, const at::Tensor& received, const Post& post) = 0;

  // Whether what arrives is the sum of what was sent, value by value and as it is: then a rank that
  // needs some of the sums only may be sent those alone, by others' hands.
  [[nodiscard]] virtual bool sums_plainly() const { return false; }

  // Steps at the beginning in which gradients travel as they are, and this one is not asked.
  [[nodiscard]] virtual int64_t exact_steps() const { return 0; }
  // Steps that each rank makes by itself, before what they learned is averaged. 0: they are one all
  // the time.
  [[nodiscard]] virtual int64_t steps_apart() const { return 0; }

  // What this rank has not sent yet, or knows of earlier gradients; each rank's is kept. One that
  // has any goes on with as many ranks only, and says before that it will.
  [[nodiscard]] virtual bool has_state() const { return false; }
  [[nodiscard]] virtual State state() const { return {}; }
  virtual void restore(const State& state) { (void)state; }
};

}  // namespace hearth
