// Every source and every sample op gives the same batches for any number of workers.
#include <gtest/gtest.h>

#include <map>

#include "hearth/config/registry.h"
#include "hearth/config/yaml.h"
#include "hearth/data/fixtures_test.h"
#include "hearth/data/loader.h"

namespace hearth {
namespace {

using testing_data::Chain;
using testing_data::hashes_of;
using testing_data::Ops;

constexpr const char* kSource = HEARTH_SOURCE_DIR;

// Options of sources, as YAML; small ones are quick.
const std::map<std::string, std::string>& source_cases() {
  static const std::string folder = kSource;
  static const std::map<std::string, std::string> cases = {
      {"digits", "{split: test}"},
      {"idx", "{images: '" + folder + "/data/digits-images.idx3-ubyte.gz', labels: '" + folder +
                  "/data/digits-labels.idx1-ubyte.gz'}"},
      {"synthetic", "{size: 60, shape: [1, 6, 6]}"},
      {"text", "{file: '" + folder + "/docs/guide.md', length: 32}"},
  };
  return cases;
}

// A sample op is tried on what its source yields; one that is not here, with its defaults on
// images.
struct SampleOpCase {
  std::string options = "{}";
  std::string source = "synthetic";
};

const std::map<std::string, SampleOpCase>& sample_op_cases() {
  static const std::map<std::string, SampleOpCase> cases = {
      {"normalize", {"{mean: [0.3], std: [0.4]}"}},
      {"random_shift", {"{pixels: 2}"}},
  };
  return cases;
}

std::shared_ptr<Source> opened_source(const std::string& name) {
  std::shared_ptr<Source> source =
      registry<Source>().make({name, parse_yaml(source_cases().at(name), "case")});
  source->open();
  return source;
}

std::vector<std::string> batches_of(const Chain& chain, int workers) {
  LoaderOptions options{.name = "train", .batch_size = 16, .workers = workers, .depth = 3};
  options.shuffle = true;
  options.epochs = 2;
  Loader loader(chain.source->size(), options, chain.every_epoch());
  return hashes_of(loader);
}

void expect_same_batches(const Chain& chain) {
  const std::vector<std::string> expected = batches_of(chain, 0);
  ASSERT_FALSE(expected.empty());
  for (const int workers : {1, 4}) EXPECT_EQ(batches_of(chain, workers), expected) << workers;
}

std::vector<std::string> keys_of(const Source& source) {
  std::vector<std::string> keys;
  for (const KeySpec& key : source.keys()) keys.push_back(key.key);
  return keys;
}

class EverySource : public testing::TestWithParam<std::string> {};

TEST_P(EverySource, GivesTheSameBatchesForAnyWorkers) {
  if (!source_cases().contains(GetParam()))
    FAIL() << "There is no case for the source '" << GetParam()
           << "'. Add one to source_cases() in tests/conformance/data_test.cpp: options with which "
              "it yields a few samples.";
  const auto source = opened_source(GetParam());
  expect_same_batches({source, {}, keys_of(*source)});
}
INSTANTIATE_TEST_SUITE_P(Registry, EverySource, testing::ValuesIn(registry<Source>().names()),
                         [](const auto& tested) { return tested.param; });

class EverySampleOp : public testing::TestWithParam<std::string> {};

TEST_P(EverySampleOp, GivesTheSameBatchesForAnyWorkers) {
  const auto found = sample_op_cases().find(GetParam());
  const SampleOpCase tried = found == sample_op_cases().end() ? SampleOpCase() : found->second;
  try {
    const std::shared_ptr<const SampleOp> op =
        registry<SampleOp>().make({GetParam(), parse_yaml(tried.options, "case")});
    expect_same_batches({opened_source(tried.source), Ops{op}, op->writes()});
  } catch (const std::exception& error) {
    FAIL() << error.what() << "\nGive '" << GetParam()
           << "' other options or another source in sample_op_cases() in "
              "tests/conformance/data_test.cpp.";
  }
}
INSTANTIATE_TEST_SUITE_P(Registry, EverySampleOp, testing::ValuesIn(registry<SampleOp>().names()),
                         [](const auto& tested) { return tested.param; });

}  // namespace
}  // namespace hearth
