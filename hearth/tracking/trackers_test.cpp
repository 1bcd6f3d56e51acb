// Trackers of a log that grows, is cut, and cannot be written down.
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/core/event.h"
#include "hearth/format/csv.h"
#include "hearth/format/png.h"
#include "hearth/format/protobuf.h"
#include "hearth/format/tfrecord.h"
#include "hearth/tracking/log_follower.h"
#include "hearth/tracking/trackers/csv.h"
#include "hearth/tracking/trackers/tensorboard.h"

namespace hearth {
namespace {

using Values = std::vector<std::pair<std::string, double>>;

class Trackers : public testing::Test {
 protected:
  Trackers() {
    fs::remove_all(run_);
    fs::create_directories(run_);
  }
  ~Trackers() override { fs::remove_all(run_); }

  void log(const std::vector<Event>& events) const {
    std::ofstream file(run_ / "log.jsonl");
    for (const Event& event : events) file << to_line(event);
  }
  [[nodiscard]] static Event step(int64_t number, double loss) {
    return {"step", number, 0, 100.0 + static_cast<double>(number), {{"loss", loss}}, {}};
  }
  [[nodiscard]] std::unique_ptr<LogFollower> follower(const Choice<Tracker>& choice) const {
    std::vector<NamedTracker> trackers;
    trackers.push_back({choice.name(), registry<Tracker>().make(choice)});
    return std::make_unique<LogFollower>(run_, std::move(trackers));
  }
  [[nodiscard]] std::vector<std::string> event_files() const {
    std::vector<std::string> files;
    for (const fs::path& path : list_folder(run_ / "tensorboard")) files.push_back(path.string());
    return files;
  }
  // Tags with their steps and numbers, in the order of the file.
  [[nodiscard]] std::vector<std::tuple<std::string, int64_t, float>> scalars() const;

  fs::path run_ = fs::path(testing::TempDir()) / "trackers_test" / "run-1";
};

std::vector<std::string> records_of(const std::string& file) {
  const std::string bytes = read_file(file);
  const auto read = [&](uint64_t offset, std::span<std::byte> into) {
    std::memcpy(into.data(), bytes.data() + offset, into.size());
  };
  std::vector<std::string> records;
  for (const TfRecordPlace& place : tfrecord_places(read, bytes.size(), file))
    read_tfrecord(read, place, records.emplace_back(), file);
  return records;
}

// One value of a summary, where it is a number.
void add_scalar(std::string_view value, int64_t step,
                std::vector<std::tuple<std::string, int64_t, float>>& found) {
  const std::string what = "event";
  std::string tag;
  ProtobufReader parts(value, what);
  while (const auto part = parts.next()) {
    if (part->number == 1) tag = part->bytes;
    if (part->number == 2 && part->kind == ProtobufField::Kind::kFixed32)
      found.emplace_back(tag, step, std::bit_cast<float>(static_cast<uint32_t>(part->value)));
  }
}

std::vector<std::tuple<std::string, int64_t, float>> Trackers::scalars() const {
  std::vector<std::tuple<std::string, int64_t, float>> found;
  const std::string what = "event";
  for (const std::string& record : records_of(event_files().at(0))) {
    int64_t step = 0;
    ProtobufReader event(record, what);
    while (const auto field = event.next()) {
      if (field->number == 2) step = static_cast<int64_t>(field->value);
      if (field->number != 5) continue;
      ProtobufReader summary(field->bytes, what);
      while (const auto value = summary.next()) add_scalar(value->bytes, step, found);
    }
  }
  return found;
}

TEST_F(Trackers, CsvHasARowForEachStepAndAColumnForEachNumber) {
  log({step(1, 0.5), {"epoch", 1, 0, 101, {{"loss", 0.25}}, {}}, step(2, 0.125)});
  track_log(run_, *registry<Tracker>().make(trackers::csv()));
  EXPECT_EQ(read_file(run_ / "metrics.csv"),
            "step,epoch,time,step/loss,train/loss\n1,1,101,0.5,0.25\n2,1,102,0.125,\n");
}

TEST_F(Trackers, CsvKeepsNumbersOfAStepThatIsMeasuredTwice) {
  log({{"eval", 1, 0, 1, {{"a,b", 0.5}}, {}}, {"eval", 1, 0, 1, {{"a,b", 0.75}}, {}}});
  track_log(run_, *registry<Tracker>().make(trackers::csv()));
  const auto rows = parse_csv(read_file(run_ / "metrics.csv"), "metrics.csv");
  ASSERT_EQ(rows.size(), 3);
  EXPECT_EQ(rows[0].fields.at(3), "eval/a,b");
  EXPECT_EQ(rows[2].fields.at(3), "0.75");
}

TEST_F(Trackers, TensorboardFollowsALogThatIsCut) {
  log({step(1, 0.5), step(2, 0.25), step(3, 0.125)});
  const auto following = follower(trackers::tensorboard());
  following->catch_up();
  log({step(1, 0.5), step(2, 4)});
  following->catch_up();
  EXPECT_EQ(scalars(), (std::vector<std::tuple<std::string, int64_t, float>>{
                           {"step/loss", 1, 0.5F}, {"step/loss", 2, 4.0F}}));
  EXPECT_EQ(event_files().size(), 1) << "the file of before is void and gone";
  EXPECT_TRUE(following->take_faults().empty());
}

TEST_F(Trackers, TensorboardBeginsAnewInAnotherProcessAndLeavesOtherFilesAlone) {
  log({step(1, 0.5)});
  fs::create_directories(run_ / "tensorboard");
  std::ofstream(run_ / "tensorboard" / "events.out.tfevents.0000000001.elsewhere") << "foreign";
  std::ofstream(run_ / "tensorboard" / "events.out.tfevents.0000000002.host.hearth") << "torn";
  track_log(run_, *registry<Tracker>().make(trackers::tensorboard()));
  EXPECT_EQ(event_files().size(), 2);
  EXPECT_EQ(read_file(event_files()[0]), "foreign");
  EXPECT_EQ(records_of(event_files()[1]).size(), 4) << "version, start, options, step";
}

// As embedding_saver logs them: the newest of each name, with the rows that say what they are.
TEST_F(Trackers, TensorboardPointsItsProjectorAtVectors) {
  const auto file = [](int64_t step, const std::string& path) {
    return Event{"file", step, 0, 1, {}, {{"name", "codes.eval"}, {"file", path}}};
  };
  log({file(1, "files/codes.eval/step-1.vectors.tsv"),
       file(1, "files/codes.eval/step-1.metadata.tsv"), file(2, "files/codes.eval/step-2.npy"),
       file(2, "files/codes.eval/step-2.vectors.tsv")});
  track_log(run_, *registry<Tracker>().make(trackers::tensorboard()));
  EXPECT_EQ(read_file(run_ / "tensorboard" / "projector_config.pbtxt"),
            "embeddings {\n  tensor_name: \"codes.eval, step 2\"\n"
            "  tensor_path: \"../files/codes.eval/step-2.vectors.tsv\"\n}\n");
}

TEST_F(Trackers, TensorboardWaitsForAPictureThatComesLater) {
  log({{"image", 1, 0, 1, {}, {{"name", "grid"}, {"file", "images/grid/step-1.png"}}}});
  const auto following = follower(trackers::tensorboard());
  following->catch_up();
  const size_t before = records_of(event_files().at(0)).size();
  fs::create_directories(run_ / "images/grid");
  const std::string png = encode_png({2, 1, 3, {255, 0, 0, 0, 0, 255}});
  // Whole at once, as runs write: the follower looks by itself too.
  std::ofstream(run_ / "images/grid/draft") << png;
  fs::rename(run_ / "images/grid/draft", run_ / "images/grid/step-1.png");
  following->catch_up();
  const auto records = records_of(event_files().at(0));
  ASSERT_EQ(records.size(), before + 1);
  EXPECT_NE(records.back().find(png), std::string::npos);
}

TEST_F(Trackers, WhatCannotBeWrittenIsSaidOnceAndMadeUpLater) {
  log({step(1, 0.5)});
  std::ofstream(run_ / "tensorboard") << "in the way";
  const auto following = follower(trackers::tensorboard());
  following->catch_up();
  const std::vector<std::string> faults = following->take_faults();
  ASSERT_EQ(faults.size(), 1);
  EXPECT_NE(faults[0].find("tensorboard: "), std::string::npos);
  EXPECT_NE(faults[0].find("The training goes on"), std::string::npos);
  fs::remove(run_ / "tensorboard");
  following->catch_up();
  EXPECT_EQ(scalars().size(), 1);
}

TEST_F(Trackers, ADamagedLineIsAFaultAndNoEnd) {
  std::ofstream(run_ / "log.jsonl") << to_line(step(1, 0.5)) << "{\"event\": 3}\n";
  const auto following = follower(trackers::csv());
  following->catch_up();
  ASSERT_EQ(following->take_faults().size(), 1);
  log({step(1, 0.5), step(2, 0.25)});
  following->catch_up();
  EXPECT_EQ(read_file(run_ / "metrics.csv"),
            "step,epoch,time,step/loss\n1,1,101,0.5\n2,1,102,0.25\n");
}

}  // namespace
}  // namespace hearth
