// The profile as people see it.
#include "hearth/train/profile_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace hearth {
namespace {

ProfileReport small_report() {
  ProfileReport report;
  report.steps = 20;
  report.threads = 2;
  report.samples_per_step = 64;
  report.step_seconds = 0.004;
  report.gigaflops = 50;
  report.peak_gigaflops = 200;
  report.rows = {{.name = "net.0",
                  .forward_seconds = 0.001,
                  .backward_seconds = 0.002,
                  .share = 0.75,
                  .forward_gigaflops = 60,
                  .backward_gigaflops = 58.5,
                  .share_of_peak = 0.296},
                 {.name = "the rest", .forward_seconds = 0.000997, .share = 0.24925},
                 {.name = "net", .forward_seconds = 0.000002, .share = 0.0005},
                 {.name = "net.2", .forward_seconds = 0.000001, .share = 0.00025},
                 {.name = "net.1", .is_fused = true}};
  return report;
}

TEST(ProfileReport, ShowsWhatMattersAndSumsTheRest) {
  EXPECT_EQ(small_report().text(),
            R"(20 steps of 64 samples on 2 threads: 4.000 ms a step, 16,000 samples/s
50.0 GF/s of counted work; at most this machine does 200.0

                            forward   backward    share  forward backward  of peak
                                 ms         ms        %     GF/s     GF/s        %
net.0                         1.000      2.000     75.0     60.0     58.5     29.6
the rest                      0.997      0.000     24.9
net.1 (fused)                 0.000      0.000      0.0
2 others                      0.003      0.000      0.1
step                          2.000      2.000    100.0
)");
}

TEST(ProfileReport, LeavesOutThePeakWhereItIsNotKnown) {
  ProfileReport report = small_report();
  report.peak_gigaflops = 0;
  EXPECT_EQ(report.text().find("at most"), std::string::npos);
}

TEST(ProfileReport, HasEveryRowInJson) {
  const Json json = small_report().to_json();
  EXPECT_EQ(json.at("rows").size(), 5U);
  EXPECT_EQ(json.at("rows")[0].at("name"), "net.0");
  EXPECT_EQ(json.at("rows")[0].at("backward_gigaflops"), 58.5);
  EXPECT_EQ(json.at("rows")[4].at("fused"), true);
  EXPECT_EQ(json.at("peak_gigaflops"), 200);
}

}  // namespace
}  // namespace hearth
