// What each command that needs tensors was asked for. The front fills it in without loading
// LibTorch; the engine library carries it out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hearth::cli {

struct ExperimentArguments {
  std::vector<std::string> files;      // merged in order
  std::vector<std::string> overrides;  // train.epochs=3
  bool is_json = false;
};

struct TrainArguments : ExperimentArguments {
  bool is_dry_run = false;
  std::optional<std::string> resume;  // a run folder; "" for the newest run
  bool is_quiet = false;
  std::optional<int64_t> profile_steps;  // time so many steps instead of training
};

struct CheckArguments : ExperimentArguments {};

struct EvaluateArguments {
  std::string run;
  std::string mode = "eval";
  std::string checkpoint = "best";  // best, last, or a file
  std::vector<std::string> overrides;
  bool is_json = false;
};

struct PredictArguments {
  std::string run;
  std::vector<std::string> files;
  std::vector<int64_t> samples;  // of the eval data
  int64_t top = 0;               // 0: as the experiment says
  bool is_inverted = false;
  bool is_json = false;
};

struct ExportArguments {
  std::string run;
  std::string folder;
  std::string checkpoint = "best";
};

struct DoctorArguments {
  bool is_json = false;
};

struct DataBenchmarkArguments : ExperimentArguments {
  double seconds = 1;
};

}  // namespace hearth::cli
