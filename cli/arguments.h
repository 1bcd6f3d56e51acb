// What each command that needs tensors was asked for. The front fills it in without loading
// LibTorch; the engine library carries it out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hearth/base/text.h"
#include "hearth/config/catalog.h"
#include "hearth/experiment/expand.h"

namespace hearth::cli {

struct ResultArguments {
  bool is_json =
      false;  // the result as one line of JSON on standard output, and nothing else there
};

struct ExperimentArguments : ResultArguments {
  std::vector<std::string> files;      // merged in order
  std::vector<std::string> overrides;  // train.epochs=3
  ConfigScope scope = ConfigScope::kWhole;

  // The files and overrides as one would type them again.
  [[nodiscard]] std::string words() const {
    std::vector<std::string> all;
    for (const std::string& file : files) all.push_back(shell_word(file));
    for (const std::string& text : overrides) all.push_back(shell_word(text));
    return join(all, " ");
  }
};

// A folder whose config.yaml or specs.json its weights were not trained with is used all the same.
struct FolderArguments {
  bool accepts_changes = false;
};

struct TrainArguments : ExperimentArguments, FolderArguments {
  bool is_dry_run = false;
  std::optional<std::string> resume;  // a run folder; "" for the newest run
  bool is_quiet = false;
  std::optional<int64_t> profile_steps;  // time so many steps instead of training
  std::string chrome_trace;              // where the profile's calls are written; empty: nowhere
  bool allows_commands = false;          // train.commands
  bool detects_anomalies = false;
  // Less data than the config says: batches for a trial, batches to learn by heart, samples.
  std::optional<int64_t> trial_batches;
  std::optional<int64_t> overfit_batches;
  std::optional<int64_t> limit;

  [[nodiscard]] bool has_less_data() const { return trial_batches || overfit_batches || limit; }
};

struct CheckArguments : ExperimentArguments {};

struct PlanArguments : ExperimentArguments {
  int64_t hosts = 8;
  int64_t ranks_per_host = 1;
  double network_bytes = 0;  // a second
  double local_bytes = 0;
  double latency_seconds = 0;
  int64_t bucket_bytes = 0;
  bool overlaps = true;
  bool is_weak = false;
  int64_t steps = 20;  // to be measured
};

struct SummaryArguments : ExperimentArguments {
  std::string target;             // a config, a run's folder, or the name of an architecture
  std::vector<std::string> more;  // further configs and overrides, or options of the architecture
  std::string input;              // 3x224x224, for an architecture
  int64_t classes = 1000;
  int64_t batch_size = 0;  // 0: as the experiment says; 1 for an architecture
  int64_t depth = -1;
  std::string svg;
  std::string dot;
};

// The schedules of an experiment as curves.
struct PlotArguments : ExperimentArguments {
  std::string x = "step";
  bool is_logarithmic = false;
  std::string file;  // where to write it; empty: printed
  int64_t width = 900;
  int64_t height = 540;
};

struct EvaluateArguments : ResultArguments, FolderArguments {
  std::string run;
  std::string mode = "eval";
  std::string checkpoint = "best";  // best, last, or a file
  std::vector<std::string> overrides;
  bool follows = false;  // every checkpoint as it comes
  bool is_once = false;  // those that are there, and no more
  int64_t every = 1;     // steps from one to the next
  std::string best;      // the metric by which the best one is kept
};

// How a text is continued; what is not given is as hearth/train/generation/generate_options.h has
// it.
struct ContinueArguments {
  std::optional<int64_t> tokens;
  std::optional<double> temperature;
  std::optional<int64_t> top_k;
  std::optional<double> top_p;
  std::optional<double> repetition_penalty;
  std::optional<int64_t> beams;
  std::optional<double> length_penalty;
  std::vector<std::string> stop;
  std::optional<int64_t> seed;

  [[nodiscard]] bool is_given() const {
    return tokens || temperature || top_k || top_p || repetition_penalty || beams ||
           length_penalty || seed || !stop.empty();
  }
};

struct PredictArguments : ResultArguments, FolderArguments {
  std::string run;
  std::string checkpoint = "best";
  std::vector<std::string> files;   // for the one key that nothing else fills
  std::vector<std::string> inputs;  // KEY=FILE
  std::vector<std::string> texts;   // KEY=TEXT, or a text to continue
  std::vector<std::string> rows;    // of a table: {"rooms": 3}
  std::vector<int64_t> samples;     // of the eval data
  int64_t top = 0;                  // 0: as the experiment says
  int64_t batch_size = 0;           // 0: as the experiment says
  bool is_inverted = false;
  ContinueArguments continuing;

  [[nodiscard]] bool has_raw_inputs() const {
    return !files.empty() || !inputs.empty() || !texts.empty() || !rows.empty();
  }
};

struct ReplayArguments : ResultArguments, FolderArguments {
  std::string run;
  int64_t step = 1;
  std::string grid;  // where to write the pictures; empty: nowhere
};

struct RecreateArguments : ResultArguments {
  std::string run;
  std::string folder;  // where to train it again; empty: a temporary one
  bool is_quiet = false;
};

struct BisectArguments : ResultArguments, FolderArguments {
  std::string first;
  std::string second;
};

struct ExportArguments : ResultArguments, FolderArguments {
  std::string run;
  std::string folder;
  std::string checkpoint = "best";
  bool has_torch_names = false;  // the weights alone, for other programs
};

struct DoctorArguments : ResultArguments {};

// All that this process knows with the plugins of the experiment loaded.
struct CatalogArguments : ExperimentArguments {
  Catalog* found = nullptr;
};

struct DataGetArguments : ResultArguments {
  std::string name;  // a known set or a file that describes one; empty: list them
  std::string folder;
  std::string mirror;
};

struct DataShowArguments : ExperimentArguments {
  int64_t samples = 20'000;
  std::string page;  // where to write HTML; empty: nowhere
  std::string grid;  // where to write a PNG
};

struct DataPackArguments : ExperimentArguments {
  std::string folder;
  std::string set = "train";
  int64_t shard_bytes = int64_t{128} << 20;
};

// The files say which data; none: the run's own.
struct DataFeaturesArguments : DataPackArguments, FolderArguments {
  std::string run;
  std::string checkpoint = "best";
  std::vector<std::string> keys;
};

struct DataBenchmarkArguments : ExperimentArguments {
  double seconds = 1;
};

}  // namespace hearth::cli
