// The order of samples: which sample stands in which row of which batch, for every epoch. Nothing
// is stored; whoever asks for (epoch, batch, row) again gets the same sample.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "hearth/data/source.h"

namespace hearth {

struct OrderRequest {
  int64_t samples = 0;  // of the source
  int64_t batch_size = 1;
  bool drop_last = false;  // leave out an epoch's last batch when it is not full
  uint64_t seed = 0;
  int64_t epoch = 0;
};

// The batches of one epoch. Each answer is a pure function and takes the same time, wherever it
// points. Asked from many threads.
class EpochOrder {
 public:
  virtual ~EpochOrder() = default;
  [[nodiscard]] virtual int64_t batches() const = 0;
  [[nodiscard]] virtual int64_t rows(int64_t batch) const = 0;  // at most the batch size
  [[nodiscard]] virtual int64_t sample(int64_t batch, int64_t row) const = 0;
};

class Order {
 public:
  virtual ~Order() = default;
  // Called once, before anything else, with the opened source of the samples.
  virtual void open(const Source&) {}
  [[nodiscard]] virtual std::unique_ptr<const EpochOrder> epoch(const OrderRequest&) const = 0;
};

// A row of samples cut into batches, for orders that are one.
struct BatchCut {
  int64_t samples = 0;
  int64_t batch_size = 1;
  bool drop_last = false;

  [[nodiscard]] int64_t batches() const {
    const int64_t full = samples / batch_size;
    return drop_last || samples % batch_size == 0 ? full : full + 1;
  }
  [[nodiscard]] int64_t rows(int64_t batch) const {
    return std::min(batch_size, samples - batch * batch_size);
  }
};

// An epoch whose samples are `at(0), at(1), ...`, cut into batches.
template <class At>
class CutOrder final : public EpochOrder {
 public:
  CutOrder(const BatchCut& cut, At at) : cut_(cut), at_(std::move(at)) {}
  [[nodiscard]] int64_t batches() const override { return cut_.batches(); }
  [[nodiscard]] int64_t rows(int64_t batch) const override { return cut_.rows(batch); }
  [[nodiscard]] int64_t sample(int64_t batch, int64_t row) const override {
    return at_(batch * cut_.batch_size + row);
  }

 private:
  BatchCut cut_;
  At at_;
};

template <class At>
[[nodiscard]] std::unique_ptr<const EpochOrder> cut_order(const OrderRequest& request, At at) {
  return std::make_unique<CutOrder<At>>(
      BatchCut{request.samples, request.batch_size, request.drop_last}, std::move(at));
}

}  // namespace hearth
