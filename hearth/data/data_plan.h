// The data side of a plan made ready to run: which keys to read, which ops to run, where values
// lie.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "hearth/core/graph.h"
#include "hearth/data/sample_op.h"
#include "hearth/data/source.h"

namespace hearth {

// Where a value of one sample lies: in the batch's row of a field, or in the worker's scratch
// memory.
struct ValuePlace {
  int field = -1;               // index into DataPlan::fields, or -1
  int64_t scratch_offset = -1;  // or an offset into scratch memory; both -1: nowhere
  [[nodiscard]] bool is_nowhere() const { return field < 0 && scratch_offset < 0; }
};

// A value that becomes a tensor of the batch, one row a sample.
struct BatchField {
  std::string key;
  Spec spec;
  int64_t row_bytes = 0;
};

// An op with the places of what it reads and writes.
struct DataStep {
  struct Operand {
    Spec spec;
    ValuePlace place;
  };
  struct Copy {
    size_t operand = 0;
    int64_t bytes = 0;
  };
  std::string name;        // "normalize"
  uint16_t op_number = 0;  // part of the identity of its random numbers
  std::shared_ptr<const SampleOp> op;
  std::vector<Operand> inputs = {};
  std::vector<Operand> outputs = {};
  // An in-place op whose input is still needed afterwards works on a copy of it: input k to output
  // k.
  std::vector<Copy> copies = {};
};

struct DataPlan {
  std::shared_ptr<const Source> source;
  std::vector<ValuePlace> source_keys;  // for each of source->keys(); nowhere: nobody needs it
  std::vector<DataStep> steps;
  std::vector<BatchField> fields;
  std::vector<int> field_of_slot;  // a slot of the plan -> index into fields, or -1
  int64_t scratch_bytes = 0;       // a worker's memory for values that are not rows
};

// Takes the steps at Place::kSource and Place::kSample out of `plan`. `ops_by_node[n]` is the op of
// nodes[n]; it may be null or missing for nodes at other places.
[[nodiscard]] DataPlan make_data_plan(const Plan& plan, const std::vector<GraphNode>& nodes,
                                      std::shared_ptr<const Source> source,
                                      std::vector<std::shared_ptr<const SampleOp>> ops_by_node);

}  // namespace hearth
