// What the processor can do, beside what the kernel says of it.
#include "hearth/base/processor.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>

namespace hearth {
namespace {

// The words of the first processor's `flags` (x86-64 has that line, others do not).
std::set<std::string> kernel_flags() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("flags")) continue;
    std::istringstream words(line.substr(line.find(':') + 1));
    return {std::istream_iterator<std::string>(words), {}};
  }
  return {};
}

TEST(Processor, CanDoWhatTheKernelSays) {
  const std::set<std::string> flags = kernel_flags();
  EXPECT_EQ(processor().has_avx2, flags.contains("avx2"));
  EXPECT_EQ(processor().has_fma, flags.contains("fma"));
  EXPECT_EQ(processor().has_avx512f, flags.contains("avx512f"));
  EXPECT_EQ(processor().has_avx512bw, flags.contains("avx512bw"));
  EXPECT_EQ(processor().has_avx512dq, flags.contains("avx512dq"));
  EXPECT_EQ(processor().has_avx512vl, flags.contains("avx512vl"));
  EXPECT_EQ(processor().has_avx512_bf16, flags.contains("avx512_bf16"));
}

}  // namespace
}  // namespace hearth
