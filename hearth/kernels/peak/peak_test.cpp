// The measured peak.
#include "hearth/kernels/peak/peak.h"

#include <gtest/gtest.h>

#include "hearth/kernels/kernels.h"

namespace hearth {
namespace {

TEST(Peak, IsFoundWhereThereIsAVectorUnit) {
  if (has_vector_unit())
    EXPECT_GT(measured_peak_gigaflops(), 0);
  else
    EXPECT_EQ(measured_peak_gigaflops(), 0);
}

}  // namespace
}  // namespace hearth
