// Samples that cannot be read, and pictures among them that cannot be decoded.
#include "hearth/data/corrupt_samples.h"

#include <mutex>
#include <numeric>

#include "hearth/config/registry.h"
#include "hearth/data/ops/image/decode.h"
#include "hearth/data/sample_op.h"
#include "hearth/data/sample_reader.h"

namespace hearth {

namespace {

// Decodes pictures into memory of its own.
class DecodeTrial {
 public:
  explicit DecodeTrial(const KeySpec& key)
      : op_(registry<SampleOp>().make(sample_ops::decode({.key = key.key}))),
        made_(op_->infer({key.spec}).at(0)),
        value_(memory_),
        cell_(value_, made_) {}

  void run(const View& encoded) {
    Random random({});
    op_->run(random, std::span(&encoded, 1), std::span(&cell_, 1));
  }

 private:
  std::unique_ptr<SampleOp> op_;
  Spec made_;
  RaggedMemory memory_;
  RaggedValue value_;
  Cell cell_;
};

// What becomes of the samples of one thread.
class CorruptTrial {
 public:
  explicit CorruptTrial(const Source& source) : reader_(source, all_places(source)) {
    const std::vector<KeySpec> keys = source.keys();
    trials_.resize(keys.size());
    for (size_t k = 0; k < keys.size(); ++k)
      if (keys[k].spec.role == Role::kEncodedImage)
        trials_[k] = std::make_unique<DecodeTrial>(keys[k]);
  }

  // Why it cannot be used; nothing when it can.
  std::string reason(int64_t sample) {
    try {
      const std::span<const View> values = reader_.read(sample);
      for (size_t k = 0; k < values.size(); ++k)
        if (trials_[k]) trials_[k]->run(values[k]);
      return {};
    } catch (const std::exception& error) {
      return error.what();
    }
  }

 private:
  static std::vector<size_t> all_places(const Source& source) {
    std::vector<size_t> places(source.keys().size());
    std::iota(places.begin(), places.end(), size_t{0});
    return places;
  }

  SampleReader reader_;
  std::vector<std::unique_ptr<DecodeTrial>> trials_;
};

}  // namespace

std::map<size_t, std::string> corrupt_samples(const Source& source,
                                              const std::vector<int64_t>& samples) {
  std::map<size_t, std::string> reasons;
  std::mutex mutex;
  for_each_stretch(static_cast<int64_t>(samples.size()), [&](int64_t begin, int64_t end) {
    CorruptTrial trial(source);
    for (int64_t i = begin; i < end; ++i) {
      const std::string reason = trial.reason(samples[static_cast<size_t>(i)]);
      if (reason.empty()) continue;
      const std::lock_guard lock(mutex);
      reasons[static_cast<size_t>(i)] = reason;
    }
  });
  return reasons;
}

}  // namespace hearth
