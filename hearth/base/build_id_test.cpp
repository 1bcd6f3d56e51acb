#include "hearth/base/build_id.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace hearth {
namespace {

TEST(BuildId, IsThatOfTheObjectAroundTheAddress) {
  const std::string own = build_id(reinterpret_cast<const void*>(&build_id));
  const std::string other = build_id(reinterpret_cast<const void*>(&std::abort));
  EXPECT_EQ(own, build_id(reinterpret_cast<const void*>(&build_id)));
  EXPECT_NE(own, other);
  EXPECT_EQ(own.find_first_not_of("0123456789abcdef"), own.npos) << own;
  EXPECT_EQ(build_id(nullptr), "unknown");
}

}  // namespace
}  // namespace hearth
