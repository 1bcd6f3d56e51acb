// The one dataflow graph over keys, and its compiler: nodes in, plan out.
#pragma once

#include <any>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "hearth/base/error.h"
#include "hearth/config/mode.h"
#include "hearth/config/node.h"
#include "hearth/core/spec.h"

namespace hearth {

// The place a node runs at.
enum class Place : uint8_t { kSource, kSample, kBatch, kNetwork, kRecord };
[[nodiscard]] std::string_view name(Place place);

struct GraphNode {
  std::string name = {};  // "network[1] cross_entropy"
  Place place = Place::kNetwork;
  std::vector<std::string> reads = {};
  std::vector<std::string> writes = {};
  std::vector<std::string> drops = {};  // keys that are gone from here on
  Modes modes = Modes::all();
  bool is_active = true;           // switched on in this epoch
  bool has_effect = false;         // wanted for what it does: an update, a metric, a trace
  bool takes_gradients = false;    // may read keys that stand for gradients
  bool changes_with_time = false;  // is switched, or has options that move
  Mark mark = {};                  // where the config names it
  // Specs of `writes` from specs of `reads`; throws GraphError.
  std::function<std::vector<Spec>(const std::vector<Spec>&)> infer = {};
  // What distinguishes this node from the same node with other scheduled values.
  std::string signature = {};
  // Who does it: a pointer to the op or metric, of the type that its place runs.
  std::any component = {};
};

// A value in a plan: one version of a key. Writing a key again makes a new value.
struct PlanValue {
  std::string key;
  Spec spec;
  Place place = Place::kSource;     // where it is made
  bool crosses_to_network = false;  // made by the data side and read by a network node
  bool is_recorded = false;         // read by a metric, a trace or a fetch
  bool crosses_to_batch = false;    // made for each sample and read by a batch op
};

struct PlanStep {
  size_t node = 0;           // index into the compiled nodes
  std::vector<int> inputs;   // indices into `values`
  std::vector<int> outputs;  // the same; -1 for an output that nobody needs
};

struct PrunedNode {
  size_t node = 0;
  std::string reason;  // "nobody needs 'logits'", "lives in train only", "off at step 3"
};

struct Plan {
  Mode mode = Mode::kTrain;
  std::vector<PlanStep> steps;
  std::vector<PlanValue> values;  // steps and fetches name them by index
  std::vector<PrunedNode> pruned;
  std::vector<int> fetches;  // indices of the wanted keys, in the order asked for
  std::string signature;
  // The index of the value that is the last version of a key, or -1.
  [[nodiscard]] int index_of(const std::string& key) const;
};

struct CompileRequest {
  Mode mode = Mode::kTrain;
  std::string when = "in epoch 0";        // the moment, for messages
  std::vector<std::string> fetches = {};  // keys wanted besides what effects need
  std::vector<KeySpec> feeds = {};  // values given from outside, instead of being made by a node
  Mark fetches_mark = {};           // where the config names the fetches
};

// What is wrong at one place of the graph, and in which modes.
struct PlanFault {
  std::string place;    // "digits.yaml:9:8: ", or nothing
  std::string message;  // "network[0] call reads ..."
  Modes modes;
};

// The faults of one compilation or several, a line each: "digits.yaml:9:8: in mode eval: ...".
class PlanError : public GraphError {
 public:
  // What several modes share is said once; what all of several `compiled` modes share, without the
  // modes.
  PlanError(const std::vector<PlanFault>& faults, Modes compiled);
  [[nodiscard]] const std::vector<PlanFault>& faults() const { return faults_; }

 private:
  std::vector<PlanFault> faults_;
};

// PlanError with all that is wrong.
[[nodiscard]] Plan compile(const std::vector<GraphNode>& nodes, const CompileRequest& request);

}  // namespace hearth
