// Errors get the place of the option they are about.
#include "hearth/config/place.h"

#include <gtest/gtest.h>

#include "hearth/base/message_of_test.h"
#include "hearth/config/yaml.h"

namespace hearth {
namespace {

const char* const kConfig =
    "data:\n"
    "  train: {idx: {images: /d/x, labels: /d/x-labels}}\n"
    "network:\n"
    "  - call: {model: nett, in: image}\n";

Node placed_config() { return with_option_paths(parse_yaml(kConfig, "a.yaml")); }

const Node& options_of_call(const Node& config) {
  return *config.find("network")->items().front().find("call");
}

TEST(Place, OfAnOptionIsItsMarkAndItsPath) {
  const Node config = placed_config();
  EXPECT_EQ(options_of_call(config).find("in")->mark().prefix(),
            "a.yaml:4:29: network[0].call.in: ");
  EXPECT_EQ(mark_at(config, "data.train").prefix(), "a.yaml:2:10: data.train: ");
  EXPECT_EQ(mark_at(config, "data.drop_last").prefix(), "a.yaml:2:3: data.drop_last: ");
}

TEST(Place, IsAddedOnceByTheInnermostBorder) {
  const Node config = placed_config();
  const auto work = [&] {
    at_place(config.mark(), [&] {
      at_place(mark_at(config, "network"), [] { throw GraphError("does not fit."); });
    });
  };
  EXPECT_EQ(message_of<GraphError>(work), "a.yaml:4:3: network: does not fit.");
}

TEST(Place, KeepsTheKindOfError) {
  const Mark mark = mark_at(placed_config(), "data");
  EXPECT_THROW(at_place(mark, [] { throw ConfigError(""); }), ConfigError);
  EXPECT_THROW(at_place(mark, [] { throw DataError(""); }), DataError);
  const auto defect = [&] { at_place(mark, [] { throw InternalError("a defect"); }); };
  EXPECT_EQ(message_of<InternalError>(defect), "a defect");
}

TEST(Place, IsLeftOutWhereNothingIsKnown) {
  const auto work = [] { at_place(Mark{}, [] { throw ConfigError("is wrong."); }); };
  EXPECT_EQ(message_of<ConfigError>(work), "is wrong.");
}

TEST(Place, IsThatOfTheOptionTheMessageNames) {
  const Node config = placed_config();
  const Node& call = options_of_call(config);
  const auto quoted = [&] { at_option_of(call, [] { throw ConfigError("no model 'nett'."); }); };
  EXPECT_EQ(message_of<ConfigError>(quoted),
            "a.yaml:4:19: network[0].call.model: no model 'nett'.");
  const auto other = [&] { at_option_of(call, [] { throw ConfigError("is wrong."); }); };
  EXPECT_EQ(message_of<ConfigError>(other), "a.yaml:4:11: network[0].call: is wrong.");
}

TEST(Place, TellsAFileFromOneWhoseNameStartsLikeIt) {
  const Node config = placed_config();
  const Node& idx = *config.find("data")->find("train")->find("idx");
  EXPECT_EQ(*mark_named_in(idx, "Cannot open '/d/x': no.").path, "data.train.idx.images");
  EXPECT_EQ(*mark_named_in(idx, "/d/x-labels: is too short.").path, "data.train.idx.labels");
}

TEST(Place, IsThatOfTheKeyTheMessageNamesOrOfTheOptionItBeginsWith) {
  const Node config = with_option_paths(
      parse_yaml("csv: {target: [size], columns: {size: catgory, colr: text}}\n", "a.yaml"));
  const Node& csv = *config.find("csv");
  EXPECT_EQ(*mark_named_in(csv, "'colr' is no column.").path, "csv.columns.colr");
  EXPECT_EQ(*mark_named_in(csv, "'size' is no column.").path, "csv.target[0]");
  EXPECT_EQ(*mark_named_in(csv, "columns: 'size' is odd.").path, "csv.columns.size");
  EXPECT_EQ(*mark_named_in(csv, "columns: are too many.").path, "csv.columns");
  EXPECT_EQ(*mark_named_in(csv, "reads 'columns'.").path, "csv");
  const Node zipped = with_option_paths(parse_yaml("zip: {of: [digits: {}, csv: {}]}\n", "a.yaml"));
  EXPECT_EQ(*mark_named_in(*zipped.find("zip"), "'digits' is longer than 'csv'.").path, "zip");
}

}  // namespace
}  // namespace hearth
