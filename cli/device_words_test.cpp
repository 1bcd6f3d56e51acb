// Tests of how other frameworks' flags ask for a device.
#include "cli/device_words.h"

#include <gtest/gtest.h>

namespace hearth::cli {
namespace {

TEST(DeviceWords, ANumberOfGpusIsNoDevice) {
  EXPECT_EQ(device_words("gpus", "1"), "cuda");
  EXPECT_EQ(device_words("num_gpus", "0"), "cpu");
  EXPECT_EQ(device_words("devices", "2").find("cuda. A run computes on one GPU today"), 0U);
  EXPECT_EQ(device_words("gpus", "-1").find("cuda. A run"), 0U);
  EXPECT_EQ(device_words("gpus", "0,1").find("cuda. A run"), 0U);
}

TEST(DeviceWords, ANumberOfTheGpuIs) {
  EXPECT_EQ(device_words("gpu", "1"), "cuda:1");
  EXPECT_EQ(device_words("device", "0"), "cuda:0");
}

TEST(DeviceWords, WordsStayAndFlagsSayAll) {
  EXPECT_EQ(device_words("accelerator", "gpu"), "cuda");
  EXPECT_EQ(device_words("device", "cuda:1"), "cuda:1");
  EXPECT_EQ(device_words("accelerator", "cpu"), "cpu");
  EXPECT_EQ(device_words("cuda", ""), "cuda");
  EXPECT_EQ(device_words("use_gpu", "digits.yaml"), "cuda");
  EXPECT_EQ(device_words("no_cuda", ""), "cpu");
  EXPECT_EQ(device_words("cpu", ""), "cpu");
}

}  // namespace
}  // namespace hearth::cli
