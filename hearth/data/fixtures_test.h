// Small sources, ops and hand-written plans for the tests of the data engine.
#pragma once

#include <atomic>
#include <cstring>
#include <memory>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "hearth/base/digest.h"
#include "hearth/data/data_plan.h"
#include "hearth/data/loader.h"

namespace hearth::testing_data {

// `x`: floats that tell the sample; `id`: the sample's number.
class CountingSource : public Source {
 public:
  explicit CountingSource(int64_t size, std::set<int64_t> broken = {})
      : size_(size), broken_(std::move(broken)) {}
  std::vector<KeySpec> keys() const override {
    return {{"x", {.dtype = DType::kFloat32, .shape = {4}}}, {"id", {.dtype = DType::kInt64}}};
  }
  int64_t size() const override { return size_; }
  void read(int64_t index, std::span<const Cell> cells) const override {
    ++reads;
    if (broken_.contains(index)) throw std::runtime_error("the bytes are damaged.");
    if (cells[0].is_wanted()) {
      ++x_reads;
      for (int i = 0; i < 4; ++i)
        cells[0].as<float>()[static_cast<size_t>(i)] = static_cast<float>(10 * index + i);
    }
    if (cells[1].is_wanted()) cells[1].set(index);
  }
  std::string fingerprint() const override { return "counting"; }
  std::string describe(int64_t index) const override {
    return "counting[" + std::to_string(index) + "]";
  }
  mutable std::atomic<int64_t> reads = 0;
  mutable std::atomic<int64_t> x_reads = 0;

 private:
  int64_t size_;
  std::set<int64_t> broken_;
};

// Adds a random number to every value of its key.
class AddNoise : public SampleOp {
 public:
  AddNoise(std::string from, std::string to, bool in_place)
      : from_(std::move(from)), to_(std::move(to)), in_place_(in_place) {}
  std::vector<std::string> reads() const override { return {from_}; }
  std::vector<std::string> writes() const override { return {to_}; }
  std::vector<Spec> infer(const std::vector<Spec>& inputs) const override { return inputs; }
  bool is_in_place() const override { return in_place_; }
  void run(Random& random, std::span<const View> in, std::span<const Cell> out) const override {
    ++runs;
    shared_memory = in[0].data == out[0].view().data;
    for (size_t i = 0; i < 4; ++i) out[0].as<float>()[i] = in[0].as<float>()[i] + random.uniform();
  }
  mutable std::atomic<int64_t> runs = 0;
  mutable std::atomic<bool> shared_memory = false;

 private:
  std::string from_;
  std::string to_;
  bool in_place_;
};

class FailAt : public SampleOp {
 public:
  explicit FailAt(std::set<int64_t> samples) : samples_(std::move(samples)) {}
  std::vector<std::string> reads() const override { return {"id"}; }
  std::vector<std::string> writes() const override { return {"id"}; }
  std::vector<Spec> infer(const std::vector<Spec>& inputs) const override { return inputs; }
  bool is_in_place() const override { return true; }
  void run(Random&, std::span<const View> in, std::span<const Cell>) const override {
    const int64_t id = in[0].as<int64_t>()[0];
    if (samples_.contains(id)) throw std::runtime_error("refuses " + std::to_string(id) + ".");
  }

 private:
  std::set<int64_t> samples_;
};

using Ops = std::vector<std::shared_ptr<const SampleOp>>;
using BatchOps = std::vector<std::shared_ptr<const BatchOp>>;

// A graph of a source and ops in a row, and a plan in which the last version of each key of
// `wanted` crosses to the network and nothing is pruned.
struct Chain {
  std::vector<GraphNode> nodes;
  Plan plan;
  std::shared_ptr<const Source> source;

  Chain(std::shared_ptr<const Source> from, const Ops& ops, const std::vector<std::string>& wanted,
        const std::vector<std::string>& names = {}, const BatchOps& batch_ops = {})
      : source(std::move(from)) {
    std::set<std::string> needed(wanted.begin(), wanted.end());
    for (const auto& op : ops) add_reads(*op, needed);
    for (const auto& op : batch_ops) add_reads(*op, needed);
    add_source(needed);
    const auto name_of = [&](size_t i) {
      return i < names.size() ? names[i] : "op" + std::to_string(i);
    };
    for (const auto& op : ops) add_op(op, Place::kSample, name_of(nodes.size() - 1));
    for (const auto& op : batch_ops) add_op(op, Place::kBatch, name_of(nodes.size() - 1));
    for (const std::string& key : wanted)
      plan.values[static_cast<size_t>(newest(key))].crosses_to_network = true;
  }

  [[nodiscard]] int newest(const std::string& key) const {
    for (int v = static_cast<int>(plan.values.size()) - 1; v >= 0; --v)
      if (plan.values[static_cast<size_t>(v)].key == key) return v;
    return -1;
  }
  [[nodiscard]] std::shared_ptr<const DataPlan> made() const {
    return std::make_shared<const DataPlan>(make_data_plan(plan, nodes, source));
  }
  [[nodiscard]] Loader::PlanOf every_epoch() const {
    return [data_plan = made()](int64_t, int64_t) { return data_plan; };
  }

 private:
  int add_value(const std::string& key, const Spec& spec, Place place) {
    plan.values.push_back({key, spec, place, false, false, false});
    return static_cast<int>(plan.values.size()) - 1;
  }
  // Keys that nobody reads or wants are not made.
  template <class Op>
  static void add_reads(const Op& op, std::set<std::string>& needed) {
    for (const std::string& key : op.reads()) needed.insert(key);
  }
  void add_source(const std::set<std::string>& needed) {
    GraphNode node{.name = "data.train source", .place = Place::kSource};
    PlanStep step;
    for (const KeySpec& key : source->keys()) {
      node.writes.push_back(key.key);
      const bool is_needed = needed.contains(key.key);
      step.outputs.push_back(is_needed ? add_value(key.key, key.spec, Place::kSource) : -1);
    }
    add(node, step);
  }
  template <class Op>
  void add_op(const std::shared_ptr<const Op>& op, Place place, const std::string& name) {
    const GraphNode node{.name = "data.ops[" + std::to_string(nodes.size() - 1) + "] " + name,
                         .place = place,
                         .reads = op->reads(),
                         .writes = op->writes(),
                         .component = op};
    PlanStep step;
    std::vector<Spec> specs;
    for (const std::string& key : node.reads) {
      step.inputs.push_back(newest(key));
      PlanValue& value = plan.values[static_cast<size_t>(newest(key))];
      value.crosses_to_batch |= place == Place::kBatch && value.place != Place::kBatch;
      specs.push_back(value.spec);
    }
    const std::vector<Spec> made = op->infer(specs);
    for (size_t k = 0; k < made.size(); ++k)
      step.outputs.push_back(add_value(node.writes[k], made[k], place));
    add(node, step);
  }
  void add(const GraphNode& node, PlanStep step) {
    step.node = nodes.size();
    nodes.push_back(node);
    plan.steps.push_back(std::move(step));
  }
};

// A digest of a batch's values and samples.
inline std::string values_hash_of(const HostBatch& batch) {
  Sha256 digest;
  digest.add(std::as_bytes(batch.samples()));
  for (size_t index = 0; index < batch.plan().field_of_value.size(); ++index) {
    if (batch.plan().field_of_value[index] < 0) continue;
    for (int64_t row = 0; row < batch.rows(); ++row) {
      const View view = batch.row(static_cast<int>(index), row);
      digest.add(std::as_bytes(view.shape));
      digest.add(std::span<const std::byte>(
          view.data, view.elements() * static_cast<size_t>(size_of(view.spec->dtype))));
    }
  }
  return digest.finish_hex();
}

// The same with its place.
inline std::string hash_of(const HostBatch& batch) {
  return std::to_string(batch.epoch()) + ":" + std::to_string(batch.index()) + ":" +
         values_hash_of(batch);
}

inline std::vector<std::string> hashes_of(Loader& loader) {
  std::vector<std::string> hashes;
  for (HostBatch batch = loader.next(); !batch.is_empty(); batch = loader.next())
    hashes.push_back(hash_of(batch));
  return hashes;
}

}  // namespace hearth::testing_data
