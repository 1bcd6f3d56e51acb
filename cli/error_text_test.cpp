// Tests of what a person reads when something is wrong.
#include "cli/error_text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "hearth/base/error.h"

namespace hearth::cli {
namespace {

TEST(ErrorText, LeavesASingleFaultAsItIs) {
  EXPECT_EQ(with_fault_count(ConfigError("a.yaml:1:1: wrong.\n  Try: this")),
            "a.yaml:1:1: wrong.\n  Try: this");
}

TEST(ErrorText, CountsSeveralFaults) {
  EXPECT_EQ(with_fault_count(ConfigError("a.yaml:1:1: wrong.\na.yaml:2:1: wrong.")),
            "\na.yaml:1:1: wrong.\na.yaml:2:1: wrong.\n2 faults.");
  EXPECT_EQ(with_fault_count(ConfigError("a\nb\n  Try: this")), "\na\nb\n2 faults.\n  Try: this");
  EXPECT_EQ(with_fault_count(GraphError("a\nb\nc")), "\na\nb\nc\n3 faults.");
}

TEST(ErrorText, DoesNotCountTheLinesOfOtherErrors) {
  EXPECT_EQ(with_fault_count(DataError("one\ntwo")), "one\ntwo");
}

TEST(ErrorText, TellsProgramsEachFault) {
  const auto error = error_json("a.yaml:1:1: wrong.\na.yaml:2:1: wrong.\n  Try: this", 2)["error"];
  EXPECT_EQ(error["kind"], "config");
  EXPECT_EQ(error["exit_code"], 2);
  EXPECT_EQ(error["faults"].size(), 2U);
  EXPECT_EQ(error_json("a", 70)["error"]["kind"], "defect");
}

}  // namespace
}  // namespace hearth::cli
