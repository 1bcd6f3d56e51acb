// Reports and curves of runs whose files say anything.
#include "hearth/tracking/report/report_page.h"

#include <gtest/gtest.h>

#include <fstream>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/core/event.h"
#include "hearth/format/markup.h"
#include "hearth/format/png.h"
#include "hearth/tracking/run_chart.h"

namespace hearth {
namespace {

class Reports : public testing::Test {
 protected:
  Reports() {
    fs::remove_all(run_);
    fs::create_directories(run_ / "images");
  }
  ~Reports() override { fs::remove_all(run_); }
  void log(const std::vector<Event>& events) const {
    std::ofstream file(run_ / "log.jsonl");
    for (const Event& event : events) file << to_line(event);
  }
  void put(const std::string& name, const std::string& text) const {
    std::ofstream(run_ / name) << text;
  }

  fs::path run_ = fs::path(testing::TempDir()) / "report_test" / "run-<1>";
};

TEST_F(Reports, NothingOfTheRunsFilesBecomesMarkup) {
  const std::string evil = "</script><script>alert(1)</script>";
  log({{"eval", 1, 0, 1, {{evil, 0.5}}, {}},
       {"table",
        1,
        0,
        1,
        {},
        {{"name", evil},
         {"corner", evil},
         {"columns", {evil, "b"}},
         {"rows", {evil}},
         {"cells", {{1, nullptr}}}}}});
  put("config.yaml", "name: " + evil + "\n");
  put("machine.json", R"({"cpu": ")" + evil + "\"}");
  put("history.jsonl", to_line({evil, 0, 0, 1, {}, {{"a", evil}}}));
  const std::string page = report_page(run_);
  EXPECT_EQ(page.find("<script>alert"), std::string::npos);
  EXPECT_EQ(page.find("<title>run-<1>"), std::string::npos);
  EXPECT_NE(page.find("&lt;script&gt;alert(1)"), std::string::npos);
}

TEST_F(Reports, PicturesAreWithinThePageAndOnlyThoseOfTheRun) {
  const std::string png = encode_png({1, 1, 3, {1, 2, 3}});
  put("images/a.png", png);
  std::ofstream(run_.parent_path() / "outside.png") << encode_png({1, 1, 3, {9, 9, 9}});
  log({{"image", 1, 0, 1, {}, {{"name", "a"}, {"file", "images/a.png"}}},
       {"image", 1, 0, 1, {}, {{"name", "b"}, {"file", "../outside.png"}}},
       {"image", 1, 0, 1, {}, {{"name", "c"}, {"file", "/etc/passwd"}}}});
  const std::string page = report_page(run_);
  EXPECT_NE(page.find(base64(png)), std::string::npos);
  EXPECT_EQ(page.find(base64(encode_png({1, 1, 3, {9, 9, 9}}))), std::string::npos);
}

TEST_F(Reports, OnlyWhatIsTakenForWhatIsColoured) {
  const Json names = {"cat", "dog"};
  const auto table = [&](const Json& columns) {
    return Event{"table",
                 1,
                 0,
                 1,
                 {},
                 {{"name", "a"},
                  {"corner", "class"},
                  {"columns", columns},
                  {"rows", names},
                  {"cells", {{1, 2}, {3, 4}}}}};
  };
  const auto is_coloured = [&] {
    return report_page(run_).find("% of the row") != std::string::npos;
  };
  log({table({"precision", "recall"})});
  EXPECT_FALSE(is_coloured());
  log({table(names)});
  EXPECT_TRUE(is_coloured());
  put("a.csv", "true class,cat,dog\ncat,1,2\ndog,0.12345678901,4\n");
  log({{"table", 1, 0, 1, {}, {{"name", "a"}, {"file", "a.csv"}}}});
  EXPECT_TRUE(is_coloured());
  EXPECT_NE(report_page(run_).find(">0.12346<"), std::string::npos);
}

TEST_F(Reports, ARunWithNothingButALogIsReported) {
  log({{"step", 1, 0, 1, {{"loss", std::nan("")}}, {}}});
  put("model.json", "[3]");
  put("specs.json", "{}");
  put("machine.json", "no json");
  EXPECT_NE(report_page(run_).find("No epoch is done yet"), std::string::npos);
  fs::remove(run_ / "log.jsonl");
  EXPECT_THROW((void)report_page(run_), DataError);
}

TEST_F(Reports, CurvesCountEpochsByTheirSteps) {
  log({{"step", 5, 0, 10, {{"loss", 3}}, {}},
       {"epoch", 10, 0, 11, {{"loss", 2}}, {}},
       {"step", 15, 1, 12, {{"loss", 1}}, {}}});
  const RunSeries series = read_series(run_, [](const std::string&) { return true; });
  EXPECT_EQ(series.names(), (std::vector<std::string>{"step/loss", "train/loss"}));
  const std::vector<Spot> epochs = points_of(*series.find("step/loss"), "epoch");
  EXPECT_DOUBLE_EQ(epochs.at(0).x, 0.5);
  EXPECT_DOUBLE_EQ(epochs.at(1).x, 1.5) << "as long as the epoch before";
  EXPECT_DOUBLE_EQ(points_of(*series.find("train/loss"), "epoch").at(0).x, 1);
  EXPECT_DOUBLE_EQ(points_of(*series.find("step/loss"), "time").at(1).x, 2);
}

TEST_F(Reports, AChartNamesTheNearestMetricAndWhatARunLacks) {
  log({{"eval", 5, 0, 10, {{"accuracy", 0.5}}, {}}});
  const fs::path other = run_.parent_path() / "other";
  fs::create_directories(other);
  std::ofstream(other / "log.jsonl") << to_line({"eval", 5, 0, 10, {{"loss", 0.5}}, {}});
  try {
    (void)make_run_chart({.runs = {run_}, .metrics = {"eval/acuracy"}});
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("Did you mean 'eval/accuracy'?"), std::string::npos);
  }
  const RunChart chart = make_run_chart({.runs = {run_, other}, .metrics = {"eval/accuracy"}});
  EXPECT_EQ(chart.chart.lines.size(), 1);
  EXPECT_EQ(chart.notes, std::vector<std::string>{"other has no eval/accuracy."});
}

}  // namespace
}  // namespace hearth
