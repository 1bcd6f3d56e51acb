// A config's data without a trainer: batches of a mode and an epoch, one after the other or by
// number.
#pragma once

#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "hearth/config/mode.h"
#include "hearth/data/data_plan.h"
#include "hearth/data/loader.h"
#include "hearth/experiment/options.h"

namespace hearth {

using ValueNumbers = std::map<std::string, int>;  // a plan's values by key

// A batch in host memory, with its values by key.
class PipelineBatch {
 public:
  PipelineBatch() = default;
  PipelineBatch(HostBatch batch, std::shared_ptr<const ValueNumbers> values)
      : batch_(std::move(batch)), values_(std::move(values)) {}

  [[nodiscard]] const HostBatch& host() const { return batch_; }
  [[nodiscard]] bool is_empty() const { return batch_.is_empty(); }
  [[nodiscard]] int64_t rows() const { return batch_.rows(); }
  [[nodiscard]] int64_t real_rows() const { return batch_.real_rows(); }
  [[nodiscard]] std::span<const int64_t> samples() const { return batch_.samples(); }
  // DataError with the nearest key for one that is not there.
  [[nodiscard]] View row(const std::string& key, int64_t row) const;
  // All rows behind each other; only of keys whose rows have one shape.
  template <class T>
  [[nodiscard]] std::span<T> as(const std::string& key) const {
    const View first = row(key, 0);
    return {reinterpret_cast<T*>(all_rows(key)), first.elements() * static_cast<size_t>(rows())};
  }

 private:
  [[nodiscard]] int value(const std::string& key) const;
  [[nodiscard]] std::byte* all_rows(const std::string& key) const;
  HostBatch batch_;
  std::shared_ptr<const ValueNumbers> values_;
};

// The batches of one epoch. Each iteration has workers of its own.
class PipelineBatches {
 public:
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = PipelineBatch;
    using difference_type = int64_t;
    using pointer = const PipelineBatch*;
    using reference = const PipelineBatch&;
    Iterator() = default;  // the end
    Iterator(std::shared_ptr<Loader> loader, std::shared_ptr<const ValueNumbers> values);
    reference operator*() const { return batch_; }
    pointer operator->() const { return &batch_; }
    Iterator& operator++();
    // Two places are told apart only by whether they are the end.
    [[nodiscard]] bool operator==(const Iterator& other) const {
      return batch_.is_empty() == other.batch_.is_empty();
    }

   private:
    std::shared_ptr<Loader> loader_;
    std::shared_ptr<const ValueNumbers> values_;
    PipelineBatch batch_;
  };

  PipelineBatches(LoaderOptions options, std::shared_ptr<const DataPlan> plan,
                  std::shared_ptr<const ValueNumbers> values, int64_t epoch);
  [[nodiscard]] int64_t size() const { return size_; }
  [[nodiscard]] Iterator begin() const { return from(0); }
  [[nodiscard]] Iterator end() const { return {}; }
  // From this batch on: the same ones as a whole iteration has there.
  [[nodiscard]] Iterator from(int64_t batch) const;
  [[nodiscard]] PipelineBatch batch(int64_t number) const;
  // What makes them.
  [[nodiscard]] const LoaderOptions& options() const { return options_; }
  [[nodiscard]] const std::shared_ptr<const DataPlan>& plan() const { return plan_; }

 private:
  [[nodiscard]] std::shared_ptr<Loader> loader(LoaderOptions options) const;
  LoaderOptions options_;
  std::shared_ptr<const DataPlan> plan_;
  std::shared_ptr<const ValueNumbers> values_;
  int64_t epoch_;
  int64_t size_;
};

struct PipelineSettings {
  uint64_t seed = 0;
  // Of several processes that share every batch: each gets its part of the rows; see LoaderOptions.
  int rank = 0;
  int ranks = 1;
  // Only ops that make the same of a sample each time: all before the first that draws in any mode.
  bool only_fixed_ops = false;
};

class Pipeline {
 public:
  // Opens the sources. ConfigError and GraphError say what does not fit. What ops learn from the
  // training data, they learn when the first batch is asked for.
  explicit Pipeline(DataOptions options, PipelineSettings settings = {});

  // Another source, opened, of the same keys and specs, in the place of a mode's own.
  void use_source(Mode mode, std::shared_ptr<Source> source);
  [[nodiscard]] const Source& source(Mode mode) const;
  // What a batch of the mode holds: all that source and ops make, in their last version.
  [[nodiscard]] std::vector<KeySpec> keys(Mode mode);
  [[nodiscard]] PipelineBatches batches(Mode mode = Mode::kTrain, int64_t epoch = 0);
  // A sample as the epoch's batches have it, as text: a line for each key.
  [[nodiscard]] std::string show(int64_t sample, Mode mode = Mode::kTrain, int64_t epoch = 0);

 private:
  struct Made {
    std::shared_ptr<const DataPlan> plan;
    std::shared_ptr<const ValueNumbers> values;
    std::vector<KeySpec> keys;
  };
  // Lets ops learn from the training data what their options leave open; once.
  void fit_ops();
  [[nodiscard]] Made made(Mode mode, int64_t epoch) const;
  [[nodiscard]] LoaderOptions loader_options(Mode mode) const;

  DataOptions options_;
  PipelineSettings settings_;
  std::map<Mode, std::shared_ptr<Source>> sources_;
  std::shared_ptr<const Order> order_;
  bool are_ops_fitted_ = false;
};

}  // namespace hearth
