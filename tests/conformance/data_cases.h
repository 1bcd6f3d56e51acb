// For tests: what sources and ops on data are tried with.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hearth/base/files.h"
#include "hearth/data/batch_op.h"
#include "hearth/data/sample_op.h"
#include "hearth/data/source.h"
#include "hearth/data/sources/synthetic.h"
#include "tests/conformance/component_cases.h"

namespace hearth {

// A source is tried with options with which it yields a few samples; paths start at the root of
// Hearth's tree.
struct SourceCase {
  static constexpr const char* kExample =
      "small:\n  options: {}  # with which it yields a few samples\n";
  static const Schema<SourceCase>& schema() {
    static const auto fields = Schema<SourceCase>();
    return fields;
  }
};

// An op is tried on what a source yields, after others that it needs.
struct OpCase {
  Choice<Source> source = sources::synthetic({.size = 60, .shape = {1, 6, 6}});
  std::vector<Choice<SampleOp>> before = {};
  static const Schema<OpCase>& schema() {
    using O = OpCase;
    static const auto fields = Schema<O>()
                                   .field(&O::source, "source", "Where its samples come from.")
                                   .field(&O::before, "before", "Ops that run before it.");
    return fields;
  }
};

inline std::shared_ptr<Source> opened_source(const Choice<Source>& choice) {
  fs::current_path(HEARTH_SOURCE_DIR);
  std::shared_ptr<Source> source = registry<Source>().make(choice);
  source->open();
  return source;
}

inline std::vector<std::string> keys_of(const Source& source) {
  std::vector<std::string> keys;
  for (const KeySpec& key : source.keys()) keys.push_back(key.key);
  return keys;
}

}  // namespace hearth
