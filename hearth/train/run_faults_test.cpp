// What happens to a run when its files, its data or its config are not what they should be.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "hearth/base/error.h"
#include "hearth/base/long_work.h"
#include "hearth/base/message_of_test.h"
#include "hearth/config/registry.h"
#include "hearth/core/log_reader.h"
#include "hearth/data/ops/image/normalize.h"
#include "hearth/data/sources/idx.h"
#include "hearth/data/sources/synthetic.h"
#include "hearth/format/idx.h"
#include "hearth/format/safetensors_writer.h"
#include "hearth/metric/metrics/classification/accuracy.h"
#include "hearth/network/ops/cross_entropy.h"
#include "hearth/nn/architectures/mlp.h"
#include "hearth/optim/optimizers/sgd.h"
#include "hearth/train/checkpoint.h"
#include "hearth/train/estimator.h"
#include "hearth/train/traces/best_model.h"

namespace hearth {
namespace {

using testing::HasSubstr;

class RunFaults : public testing::Test {
 protected:
  RunFaults() {
    std::string name = (fs::path(testing::TempDir()) / "run_faults_XXXXXX").string();
    folder_ = mkdtemp(name.data());
    options_.name = "small";
    options_.folder = (folder_ / "runs").string();
    options_.data.train = sources::synthetic({.size = 24, .shape = {1, 4, 4}, .classes = 3});
    options_.data.eval =
        sources::synthetic({.size = 12, .shape = {1, 4, 4}, .classes = 3, .seed = 1});
    options_.data.batch_size = 8;
    options_.model = layers::mlp({.hidden = {8}});
    options_.loss = network_ops::cross_entropy();
    options_.optimizer = optimizers::sgd({.lr = 0.05, .momentum = 0.9});
    options_.metrics = {metrics::accuracy()};
    options_.train.epochs = 2;
    options_.train.checkpoint.every = steps(2);
    settings_.on_notice = [this](const std::string& text) { notices_ += text + "\n"; };
  }
  ~RunFaults() override { fs::remove_all(folder_); }

  // Trains; the folder of the run.
  fs::path fitted() { return Estimator(options_, settings_).fit().run_folder; }
  // Stops after one epoch's last batch, and hands the run over.
  fs::path interrupted() {
    std::atomic<bool> interrupt{false};
    EstimatorSettings settings = settings_;
    settings.interrupt = &interrupt;
    settings.on_progress = [&](const Progress&) { interrupt = true; };
    options_.train.traces.push_back({"progress", Node::map()});
    return Estimator(options_, settings).fit().run_folder;
  }
  std::string resumed_digest(const fs::path& run, const std::vector<std::string>& overrides = {}) {
    Estimator estimator = Estimator::resume(run, settings_, overrides);
    (void)estimator.fit();
    return estimator.state_digest();
  }
  std::string truth() {
    Estimator estimator(options_, {.keeps_run = false});
    (void)estimator.fit();
    return estimator.state_digest();
  }
  static void replace(const fs::path& file, const std::string& from, const std::string& to) {
    std::string text = read_file(file);
    ASSERT_THAT(text, HasSubstr(from));
    std::ofstream(file) << text.replace(text.find(from), from.size(), to);
  }
  std::string idx_file(const std::string& name, uint8_t value) {
    const std::vector<std::byte> pixels(24 * 16, std::byte{value});
    write_idx(folder_ / name, {{IdxType::kUint8, {24, 4, 4}}, pixels});
    return (folder_ / name).string();
  }
  void use_idx_files() {
    std::vector<std::byte> labels(24);
    write_idx(folder_ / "labels", {{IdxType::kUint8, {24}}, labels});
    const std::string file = (folder_ / "labels").string();
    options_.data.train =
        sources::idx({.images = idx_file("train", 7), .labels = file, .classes = 3});
    options_.data.eval =
        sources::idx({.images = idx_file("eval", 9), .labels = file, .classes = 3});
    options_.data.ops = {sample_ops::normalize()};
  }

  fs::path folder_;
  ExperimentOptions options_;
  EstimatorSettings settings_;
  std::string notices_;
};

TEST_F(RunFaults, SavesWithoutTheDataFiles) {
  use_idx_files();
  Estimator estimator(options_, settings_);
  for (const char* name : {"train", "eval", "labels"}) fs::remove(folder_ / name);
  const Report report = estimator.fit();
  EXPECT_EQ(notices_, "");
  EXPECT_TRUE(CheckpointFolder(fs::path(report.run_folder) / "checkpoints").newest().has_value());
}

TEST_F(RunFaults, KeepsItsRunAlsoWhenItWasMeasuredFirst) {
  Estimator estimator(options_, settings_);
  (void)estimator.evaluate();
  const fs::path run = estimator.fit().run_folder;
  EXPECT_TRUE(CheckpointFolder(run / "checkpoints").newest().has_value());
}

TEST_F(RunFaults, NamesTheDataThatAreNotThoseOfTheCheckpoint) {
  use_idx_files();
  const fs::path run = fitted();
  (void)idx_file("eval", 10);
  (void)resumed_digest(run);
  EXPECT_EQ(notices_, "the eval data are not those of the checkpoint; results will differ.\n");
}

TEST_F(RunFaults, AnOldCheckpointThatCannotBeRemovedIsNotedOnce) {
  const fs::path run = interrupted();
  fs::create_directories(run / "checkpoints/step-00000000.safetensors/full");
  EXPECT_EQ(resumed_digest(run), truth());
  EXPECT_THAT(notices_, HasSubstr("cannot be removed: Directory not empty."));
  EXPECT_EQ(notices_.find("cannot be removed"), notices_.rfind("cannot be removed"));
}

TEST_F(RunFaults, AShortLogIsNotFilledUpAndKeepsItsEpochs) {
  const fs::path run = interrupted();
  const auto before = read_run_log(run / "log.jsonl");
  fs::resize_file(run / "log.jsonl", 10);
  std::ofstream(run / "history.jsonl", std::ios::app) << "{\"event\":\"ha";
  EXPECT_EQ(resumed_digest(run), truth());
  EXPECT_THAT(notices_, HasSubstr("events of the steps 1 to 3 are missing"));
  std::vector<std::string> kinds;
  for (const Event& event : read_run_log(run / "log.jsonl")) kinds.push_back(event.kind);
  EXPECT_EQ(kinds,
            (std::vector<std::string>{"epoch", "eval", "step", "step", "step", "epoch", "eval"}));
  EXPECT_GT(read_run_log(run / "history.jsonl").size(), 2u);
}

TEST_F(RunFaults, AFailedBestIsSavedLaterAsItWas) {
  options_.train.epochs = 4;
  options_.train.traces = {traces::best_model({.monitor = "train/loss"})};
  const State expected = CheckpointFolder(fitted() / "checkpoints").named("best");
  fs::path blocked;
  settings_.on_notice = [&](const std::string& text) {
    notices_ += text + "\n";
    const bool is_failed = text.find("'best' was not saved") != std::string::npos;
    if (is_failed && fs::is_directory(blocked)) fs::remove_all(blocked);
  };
  settings_.on_progress = [&](const Progress& progress) {
    if (progress.moment.epoch != 2) return;
    for (const auto& run : fs::directory_iterator(options_.folder))
      blocked = run.path() / "checkpoints/best.safetensors";
    // An earlier one may be written meanwhile.
    for (std::error_code code; !fs::is_directory(blocked);) {
      fs::remove(blocked, code);
      fs::create_directories(blocked / "full", code);
    }
  };
  options_.name = "blocked";
  options_.folder = (folder_ / "blocked").string();
  options_.train.traces.insert(options_.train.traces.begin(), {"progress", Node::map()});
  options_.train.checkpoint.every = steps(1);
  const State found = CheckpointFolder(fitted() / "checkpoints").named("best");
  EXPECT_THAT(notices_, HasSubstr("the checkpoint 'best' was not saved"));
  EXPECT_EQ(digest_of(found.part("network")), digest_of(expected.part("network")));
}

TEST_F(RunFaults, ASealedCheckpointWithoutAStateOrWithAnotherIsPassedOver) {
  const fs::path run = interrupted();
  const fs::path folder = run / "checkpoints";
  write_safetensors(folder / "step-00000090.safetensors", {},
                    {.metadata = {{"hearth.kind", kCheckpointKind}}});
  State state = CheckpointFolder(folder).newest()->state;
  int step = 91;
  for (const char* damage : {"/trainer", "/trainer/position/batch", "/trainer/traces", "/run"}) {
    State damaged = state;
    damaged.values[Json::json_pointer(damage)] = "something else";
    write_state(folder / ("step-000000" + std::to_string(step++) + ".safetensors"), damaged,
                kCheckpointKind);
  }
  state.tensors.clear();
  write_state(folder / "step-00000099.safetensors", state, kCheckpointKind);
  EXPECT_EQ(resumed_digest(run), truth());
  EXPECT_THAT(notices_, HasSubstr("step-00000099.safetensors: "));
  EXPECT_THAT(notices_, HasSubstr("step-00000090.safetensors has no state beside its tensors."));
  EXPECT_THAT(notices_, HasSubstr("is of another shape than this program's"));
  // Those passed over took no place of the checkpoints that the run made since.
  for (const char* made : {"step-00000004", "step-00000006"})
    EXPECT_TRUE(CheckpointFolder(folder).has(made)) << made;
}

TEST_F(RunFaults, WhoOpensTheLastCheckpointIsToldWhenItIsDamagedAndAnOlderOneTaken) {
  const fs::path run = interrupted();
  std::ofstream(run / "checkpoints" / "step-00000090.safetensors") << "no checkpoint";
  std::string noted;
  const ListenToWork listen({.on_note = [&](const std::string& note) { noted += note; }});
  (void)Estimator::open(run, "last");
  EXPECT_THAT(noted, HasSubstr("skipped a checkpoint: "));
  EXPECT_THAT(noted, HasSubstr("step-00000090.safetensors"));
}

TEST_F(RunFaults, AFolderDeletedUnderTheTrainingIsMadeAgain) {
  options_.train.epochs = 400;
  fs::path run;
  settings_.on_progress = [&](const Progress& progress) {
    if (progress.moment.epoch != 5) return;
    for (const auto& entry : fs::directory_iterator(options_.folder)) run = entry.path();
    // A checkpoint may be written into it meanwhile.
    for (std::error_code code; fs::exists(run / "log.jsonl");) fs::remove_all(run, code);
  };
  options_.train.traces = {{"progress", Node::map()}};
  EXPECT_EQ(fitted(), run);
  EXPECT_THAT(notices_, HasSubstr("was deleted or moved"));
  settings_.on_progress = {};
  EXPECT_EQ(resumed_digest(run), truth());
}

TEST_F(RunFaults, AFolderThatCannotBeMadeAgainYetDoesNotEndTheTraining) {
  options_.train.epochs = 400;
  settings_.on_progress = [&](const Progress& progress) {
    if (progress.moment.epoch == 5) {  // a checkpoint may be written into it meanwhile
      for (std::error_code code; !fs::is_regular_file(options_.folder);) {
        fs::remove_all(options_.folder, code);
        std::ofstream(options_.folder) << "in the way";
      }
    }
    if (progress.moment.epoch == 6) std::this_thread::sleep_for(std::chrono::seconds(1));
    if (progress.moment.epoch == 300) fs::remove(options_.folder);
  };
  options_.train.traces = {{"progress", Node::map()}};
  const fs::path run = fitted();
  EXPECT_THAT(notices_, HasSubstr("cannot be made again yet: Cannot make the folder"));
  EXPECT_THAT(notices_, HasSubstr("It is made again and the training goes on"));
  settings_.on_progress = {};
  EXPECT_EQ(resumed_digest(run), truth());
}

TEST_F(RunFaults, AConfigChangedByHandIsNamedAndUsedOnlyWhenAccepted) {
  const fs::path run = interrupted();
  replace(run / "config.yaml", "lr: 0.05", "lr: 0.5");
  for (const auto& open : {std::function([&] { (void)Estimator::resume(run); }),
                           std::function([&] { (void)Estimator::open(run); })})
    EXPECT_THAT(message_of<ConfigError>(open),
                HasSubstr("models.net.optimizer.sgd.lr: 0.05 then, 0.5 now"));
  settings_.accepts_changes = true;
  EXPECT_NE(resumed_digest(run), truth());
  EXPECT_THAT(notices_, HasSubstr("changed from here on: models.net.optimizer.sgd.lr"));
  settings_.accepts_changes = false;
  EXPECT_NO_THROW((void)Estimator::open(run));
  EXPECT_NO_THROW((void)resumed_digest(run));
}

TEST_F(RunFaults, OverridesOfAResumeAreListedAndBelongToTheRunFromThenOn) {
  options_.train.traces = {traces::best_model({.monitor = "train/loss"})};
  const fs::path run = fitted();
  (void)resumed_digest(run, {"train.epochs=3", "seed=4"});
  EXPECT_EQ(notices_,
            "changed from here on: seed: 0 then, 4 now\n"
            "changed from here on: train.epochs: 2 then, 3 now\n");
  EXPECT_THAT(read_file(run / "config.yaml"), HasSubstr("epochs: 3"));
  EXPECT_NO_THROW((void)Estimator::open(run, "best"));
  EXPECT_NO_THROW((void)Estimator::open(run, "last"));
  EXPECT_NO_THROW((void)Estimator::resume(run));
}

TEST_F(RunFaults, FewerEpochsThanAreDoneChangeNothing) {
  const fs::path run = fitted();
  const std::string config = read_file(run / "config.yaml");
  EXPECT_EQ(
      message_of<ConfigError>([&] { (void)Estimator::resume(run, settings_, {"train.epochs=1"}); }),
      "train.epochs is 1, but the run has done 2 epochs. Nothing was changed; ask for more than "
      "2.");
  EXPECT_EQ(read_file(run / "config.yaml"), config);
}

TEST_F(RunFaults, AnExportIsTiedToItsWeightsAndIsNoRun) {
  const fs::path model = folder_ / "model";
  Estimator::open(fitted()).export_model(model);
  EXPECT_NO_THROW((void)Estimator::open(model));
  EXPECT_THAT(message_of<DataError>([&] { (void)Estimator::resume(model); }),
              HasSubstr("is an exported model, not a run"));
  EXPECT_FALSE(fs::exists(model / "checkpoints"));
  replace(model / "specs.json", "4,", "5,");
  EXPECT_THAT(message_of<ConfigError>([&] { (void)Estimator::open(model); }),
              HasSubstr("specs of 'image'"));
}

// Data that interrupt whoever reads them: the moment at which someone presses Ctrl-C.
struct InterruptingOptions {
  static const Schema<InterruptingOptions>& schema() {
    static const Schema<InterruptingOptions> fields;
    return fields;
  }
};
class InterruptingSource : public Source {
 public:
  using Options = InterruptingOptions;
  explicit InterruptingSource(const Options&) {}
  std::vector<KeySpec> keys() const override { return data_->keys(); }
  int64_t size() const override { return data_->size(); }
  void read(int64_t index, std::span<const Cell> cells) const override {
    is_interrupted = is_dangerous;
    data_->read(index, cells);
  }
  std::string fingerprint() const override { return "interrupting"; }
  std::string describe(int64_t index) const override { return data_->describe(index); }
  inline static std::atomic<bool> is_interrupted = false;
  inline static bool is_dangerous = false;

 private:
  std::unique_ptr<Source> data_ = registry<Source>().make(
      sources::synthetic({.size = 12, .shape = {1, 4, 4}, .classes = 3, .seed = 1}));
};

TEST_F(RunFaults, AnInterruptedEvaluationIsDoneAgainByAResume) {
  registry<Source>().add<InterruptingSource>("interrupting", "Presses Ctrl-C.");
  options_.data.eval = choose<Source>("interrupting", InterruptingOptions{});
  options_.data.workers = 0;
  settings_.interrupt = &InterruptingSource::is_interrupted;
  const std::vector<Event> whole = read_run_log(fitted() / "log.jsonl");
  const std::string expected = truth();
  InterruptingSource::is_dangerous = true;
  const Report report = Estimator(options_, settings_).fit();
  EXPECT_TRUE(report.was_interrupted);
  EXPECT_EQ(report.epochs, 0);
  EXPECT_TRUE(Estimator(options_, settings_).evaluate().was_interrupted);
  InterruptingSource::is_dangerous = InterruptingSource::is_interrupted = false;
  EXPECT_EQ(resumed_digest(report.run_folder), expected);
  const std::vector<Event> log = read_run_log(fs::path(report.run_folder) / "log.jsonl");
  ASSERT_EQ(log.size(), whole.size());
  for (size_t i = 0; i < log.size(); ++i)
    EXPECT_EQ(std::tie(log[i].kind, log[i].step, log[i].values),
              std::tie(whole[i].kind, whole[i].step, whole[i].values));
}

TEST_F(RunFaults, ACheckpointThatVanishesMakesOneLookAgain) {
  CheckpointFolder checkpoints(fitted() / "checkpoints");
  const State state = checkpoints.newest()->state;
  int looks = 0;
  const auto found = checkpoints.newest([&](const State&) {
    if (++looks > 1) return;
    // As a run that trains on does it: a newer one comes, then the older ones go.
    for (int64_t step : {100, 101}) (void)checkpoints.save(state, step, 2);
    throw DataError("the file is gone.");
  });
  EXPECT_EQ(found->path.filename(), "step-00000101.safetensors");
  EXPECT_TRUE(found->skipped.empty());
}

}  // namespace
}  // namespace hearth
