// The data side of a plan made ready to run: which keys to read, which ops to run, where values
// lie.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "hearth/core/graph.h"
#include "hearth/data/batch_op.h"
#include "hearth/data/sample_op.h"
#include "hearth/data/source.h"
#include "hearth/data/step_fusion.h"

namespace hearth {

// Where a value lies while a batch is made.
struct ValuePlace {
  enum class Kind : uint8_t {
    kNowhere,    // nobody needs it
    kRow,        // in its row of the batch's field number `at`
    kScratch,    // in the worker's scratch memory, `at` bytes from its start
    kRagged,     // in the worker's ragged value number `at`
    kRaggedRow,  // in a ragged value of the batch, one for each row; column number `at`
    kWhole       // in the batch's ragged value number `at`, which holds all rows
  };
  Kind kind = Kind::kNowhere;
  int64_t at = -1;
  [[nodiscard]] bool is_nowhere() const { return kind == Kind::kNowhere; }
  [[nodiscard]] bool operator==(const ValuePlace&) const = default;
};

// A value that stays with the batch: what becomes a tensor, and what batch ops read and write.
struct BatchField {
  std::string key;
  Spec spec;
  ValuePlace place;
  int64_t row_bytes = 0;  // of a kRow; 0 otherwise
};

// An op with the places of what it reads and writes.
struct DataStep {
  struct Operand {
    Spec spec;
    ValuePlace place;
    Spec whole_spec = {};  // with the rows as its first dimension, for a kWhole
  };
  std::string name;        // "normalize"
  uint16_t op_number = 0;  // part of the identity of its random numbers
  std::shared_ptr<const SampleOp> op;
  std::shared_ptr<const BatchOp> batch_op;  // one of the two
  std::vector<Operand> inputs = {};
  std::vector<Operand> outputs = {};
  // An in-place op whose input is still needed afterwards works on a copy of it: input k to output
  // k, for these k.
  std::vector<size_t> copies = {};
};

class SampleCache;

struct DataPlan {
  std::shared_ptr<const Source> source;
  std::vector<ValuePlace> source_keys;  // for each of source->keys(); nowhere: nobody needs it
  std::vector<Spec> source_specs;
  std::vector<DataStep> steps;        // for each sample
  std::vector<DataStep> batch_steps;  // for a whole batch, once its samples are made
  std::vector<BatchField> fields;
  std::vector<int> field_of_value;  // a value of the plan -> index into fields, or -1
  int64_t scratch_bytes = 0;        // a worker's memory for values that are not rows
  // Values whose size differs: how many a worker has, how many each row of a batch, how many a
  // batch has for all of its rows.
  int64_t ragged_values = 0;
  int64_t ragged_columns = 0;
  int64_t whole_values = 0;
  // The first so many steps make the same of a sample whatever the epoch; `fixed_values` are those
  // that later steps and the batch need of what source and these steps made.
  size_t fixed_steps = 0;
  std::vector<DataStep::Operand> fixed_values = {};
  std::string fixed_identity = {};          // their names, options and keys
  std::shared_ptr<SampleCache> cache = {};  // of fixed_values; null for none
};

// Takes the steps at Place::kSource, kSample and kBatch out of `plan`.
[[nodiscard]] DataPlan make_data_plan(const Plan& plan, const std::vector<GraphNode>& nodes,
                                      std::shared_ptr<const Source> source,
                                      Fusion fusion = Fusion::kAllowed);

}  // namespace hearth
