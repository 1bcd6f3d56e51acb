// Texts or numbers as one of so many classes, by a hash that is the same everywhere.
#include "hearth/data/ops/table/hash.h"

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"

namespace hearth::sample_ops {

namespace {

// FNV-1a, mixed once more so that all bits of the result depend on all of the text.
uint64_t hash_of_bytes(std::span<const std::byte> bytes, uint64_t seed) {
  uint64_t hash = 0xcbf29ce484222325ULL ^ (seed * 0x9e3779b97f4a7c15ULL);
  for (const std::byte byte : bytes)
    hash = (hash ^ std::to_integer<uint64_t>(byte)) * 0x100000001b3ULL;
  hash ^= hash >> 33U;
  hash *= 0xff51afd7ed558ccdULL;
  return hash ^ hash >> 33U;
}

class Hash : public SampleOp {
 public:
  using Options = HashOptions;
  explicit Hash(Options options) : options_(std::move(options)) {}

  std::vector<std::string> reads() const override { return {options_.in}; }
  bool is_random() const override { return false; }
  std::vector<std::string> writes() const override { return {options_.out}; }

  std::vector<Spec> infer(const std::vector<Spec>& inputs) const override {
    const Spec& in = inputs.at(0);
    const bool is_text = in.role == Role::kText;
    if (!is_text && in.dtype != DType::kInt64)
      throw GraphError("hash: key " + quote(options_.in) +
                       " must hold text or whole numbers, int64, but is " + in.text() + ".");
    Spec spec{.dtype = DType::kInt64, .classes = options_.buckets};
    if (!is_text) spec.shape = in.shape;
    spec.role = Role::kTokens;
    return {spec};
  }

  void run(Random&, std::span<const View> inputs, std::span<const Cell> outputs) const override {
    const View& in = inputs[0];
    if (in.spec->role == Role::kText) return outputs[0].set(bucket({in.data, in.elements()}));
    const auto numbers = in.as<int64_t>();
    const auto out = outputs[0].take(in.shape).as<int64_t>();
    for (size_t i = 0; i < numbers.size(); ++i)
      out[i] = bucket({in.data + i * sizeof(int64_t), sizeof(int64_t)});
  }

 private:
  [[nodiscard]] int64_t bucket(std::span<const std::byte> bytes) const {
    return static_cast<int64_t>(hash_of_bytes(bytes, static_cast<uint64_t>(options_.seed)) %
                                static_cast<uint64_t>(options_.buckets));
  }

  Options options_;
};

}  // namespace

const Schema<HashOptions>& HashOptions::schema() {
  using O = HashOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::in, "in", "The key that holds text, or whole numbers.", not_empty())
          .field(&O::out, "out", "The key of the classes.", not_empty())
          .field(&O::buckets, "buckets",
                 "How many classes there are; different texts may share one.", at_least(1))
          .field(&O::seed, "seed", "Another seed lets other texts share one.", at_least(0),
                 of_64_bits());
  return schema;
}

Choice<SampleOp> hash(const HashOptions& options) { return choose<SampleOp>("hash", options); }

void register_hash(Registry<SampleOp>& registry) {
  registry.add<Hash>("hash", "Texts or numbers as one of so many classes, without a vocabulary.");
}

}  // namespace hearth::sample_ops
