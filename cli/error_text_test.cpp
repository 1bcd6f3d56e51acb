// Tests of what a person reads when something is wrong.
#include "cli/error_text.h"

#include <gtest/gtest.h>

#include <new>
#include <nlohmann/json.hpp>

#include "hearth/base/error.h"
#include "hearth/launch/cluster_error.h"

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
  EXPECT_EQ(error_json("a", ClusterError("a").exit_code())["error"]["kind"], "cluster");
  EXPECT_EQ(error_json("a", 70)["error"]["kind"], "defect");
}

TEST(ErrorText, CallsOnlyADefectADefect) {
  EXPECT_EQ(failure_of(DataError("gone.")).text, "gone.");
  EXPECT_EQ(failure_of(DataError("gone.")).exit_code, 3);
  EXPECT_EQ(failure_of(InternalError("x")).exit_code, 70);
  const Failure failure = failure_of(std::runtime_error("x\nframe #0: f\nframe #1: g"));
  EXPECT_EQ(failure.text, "x\n  This is a defect of Hearth, please report it.");
  EXPECT_EQ(failure.message, "x");
  EXPECT_EQ(failure.exit_code, 70);
}

TEST(ErrorText, SaysThatMemoryIsShortWhoeverFoundIt) {
  const std::runtime_error of_libtorch(
      "[enforce fail at alloc_cpu.cpp:66] . DefaultCPUAllocator: can't allocate memory: you tried "
      "to allocate 99 bytes. Error code 12 (Cannot allocate memory)\nframe #0: f");
  for (const Failure& failure : {failure_of(std::bad_alloc()), failure_of(of_libtorch)}) {
    EXPECT_EQ(failure.exit_code, 3);
    EXPECT_EQ(failure.text.find("There is not enough memory.\n"), 0U) << failure.text;
    EXPECT_EQ(failure.message, failure.text);
  }
}

}  // namespace
}  // namespace hearth::cli
