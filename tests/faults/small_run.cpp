// One small run in a process of its own. The parent never computes: LibTorch's threads do not
// survive a fork.
#include "small_run.h"

#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

#include "file_faults.h"
#include "file_journal.h"
#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/core/log_reader.h"
#include "hearth/data/sources/synthetic.h"
#include "hearth/metric/metrics/classification/accuracy.h"
#include "hearth/network/ops/cross_entropy.h"
#include "hearth/nn/architectures/mlp.h"
#include "hearth/optim/optimizers/sgd.h"
#include "hearth/train/checkpoint.h"
#include "hearth/train/estimator.h"
#include "hearth/train/traces/best_model.h"

namespace hearth {
namespace {

constexpr int kInterruptedStep = 4;  // of 6

ExperimentOptions small_options(const fs::path& folder) {
  ExperimentOptions options;
  options.name = "small";
  options.folder = (folder / "runs").string();
  options.threads = 1;
  options.data.train = sources::synthetic({.size = 24, .shape = {1, 4, 4}, .classes = 3});
  options.data.eval = sources::synthetic({.size = 8, .shape = {1, 4, 4}, .classes = 3, .seed = 1});
  options.data.batch_size = 8;
  options.data.workers = 0;
  options.model = layers::mlp({.hidden = {}, .dropout = 0.2});
  options.loss = network_ops::cross_entropy();
  options.optimizer = optimizers::sgd({.lr = 0.05, .momentum = 0.9});
  options.metrics = {metrics::accuracy()};
  options.train.epochs = 2;
  options.train.warm_up = false;
  options.train.checkpoint.every = steps(2);
  options.train.traces = {traces::best_model({.monitor = "train/loss"}), {"progress", Node::map()}};
  return options;
}

// The one run below the folder, whole enough to go on with; empty when there is none.
fs::path run_in(const fs::path& folder) {
  for (const fs::path& path : list_folder(folder / "runs"))
    if (is_there(path / "config.yaml")) return path;
  return {};
}

Report train(const fs::path& folder, EstimatorSettings settings) {
  const fs::path run = run_in(folder);
  if (!run.empty()) return Estimator::resume(run, std::move(settings)).fit();
  return Estimator(small_options(folder), std::move(settings)).fit();
}

// As `hearth` would end.
int exit_code_of(const std::function<void()>& action, std::string& message) {
  try {
    action();
    return 0;
  } catch (const Error& error) {
    message = error.what();
    return error.exit_code();
  } catch (const std::exception& error) {
    message = error.what();
    return 70;
  }
}

int in_child(const std::function<void()>& action) {
  const pid_t child = fork();
  if (child == 0) {
    action();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

std::string events_of(const fs::path& run) {
  std::string text;
  for (Event event : read_run_log(run / "log.jsonl")) {
    event.time = 1;
    text += to_line(event);
  }
  return text;
}

// A checkpoint that the history says was saved must be there, or a later one.
std::string lost_checkpoints(const fs::path& run, int64_t newest) {
  if (!is_there(run / "history.jsonl")) return "";
  for (const Event& event : read_run_log(run / "history.jsonl"))
    if (event.kind == "checkpoint" && event.details.at("which") != "'best'" && event.step > newest)
      return "the checkpoint at step " + std::to_string(event.step) + " is lost; ";
  return "";
}

// After a run that ended well.
std::string drafts_left(const fs::path& run) {
  for (const fs::path& folder : {run, run / "checkpoints"})
    for (const fs::path& path : list_folder(folder))
      if (path.filename().string().starts_with(".draft")) return path.string() + " is left; ";
  return "";
}

// What is wrong with the run as it lies there; nothing when there is none yet.
std::string faults_in(const fs::path& folder) {
  const fs::path run = run_in(folder);
  if (run.empty()) return "";
  const auto newest = CheckpointFolder(run / "checkpoints").newest();
  const int64_t step =
      newest ? newest->state.values.at("/trainer/position/step"_json_pointer).get<int64_t>() : -1;
  return lost_checkpoints(run, step) +
         (newest && !newest->skipped.empty() ? "a checkpoint is damaged; " : "");
}

// Of a run that ended well.
Json results_in(const fs::path& folder) {
  const fs::path run = run_in(folder);
  const CheckpointFolder checkpoints(run / "checkpoints");
  return {{"digest", digest_of(checkpoints.newest()->state.part("network")) + " " +
                         digest_of(checkpoints.named("best").part("network"))},
          {"events", events_of(run)},
          {"drafts", drafts_left(run)}};
}

// All that happens in the child; its answer is what it comes to.
Json answer_of(const fs::path& folder, const std::function<void()>& action) {
  Json answer = {{"digest", ""}, {"events", ""}, {"drafts", ""}};
  std::string message;
  std::string trouble;
  std::string faults = faults_in(folder);
  const int code = exit_code_of(action, message);
  const bool has_struck = file_faults_struck() != 0;
  file_faults_watch("", "", "");
  faults += faults_in(folder);
  if (code == 0) (void)exit_code_of([&] { answer = results_in(folder); }, trouble);
  answer.update({{"code", code},
                 {"message", message},
                 {"has_struck", has_struck},
                 {"faults", faults + trouble + answer["drafts"].get<std::string>()}});
  return answer;
}

RunEnd run_in_child(const fs::path& folder, const std::function<void()>& action) {
  fs::create_directories(folder);
  const fs::path file = folder / "answer";
  fs::remove(file);
  const int ended = in_child([&] { std::ofstream(file) << answer_of(folder, action).dump(); });
  if (ended != 0) return {.exit_code = ended, .has_struck = true};
  const Json answer = Json::parse(read_file(file));
  return {.exit_code = answer.at("code").get<int>(),
          .has_struck = answer.at("has_struck").get<bool>(),
          .message = answer.at("message").get<std::string>(),
          .digest = answer.at("digest").get<std::string>(),
          .events = answer.at("events").get<std::string>(),
          .faults = answer.at("faults").get<std::string>()};
}

}  // namespace

RunEnd run_with(const fs::path& folder, const std::string& fault, const std::string& record) {
  return run_in_child(folder, [&] {
    file_faults_watch((folder / "runs").c_str(), fault.c_str(), record.c_str());
    (void)train(folder, {});
  });
}

RunEnd run_journaled(const fs::path& folder, const fs::path& journal) {
  return run_in_child(folder, [&] {
    file_faults_watch((folder / "runs").c_str(), "", "");
    file_journal_start(journal.c_str());
    (void)train(folder, {});
    file_journal_start("");
  });
}

RunEnd run_half(const fs::path& folder) {
  return run_in_child(folder, [&] {
    std::atomic<bool> interrupt{false};
    EstimatorSettings settings;
    settings.interrupt = &interrupt;
    settings.on_progress = [&](const Progress& progress) {
      interrupt = progress.moment.step >= kInterruptedStep;
    };
    ExperimentOptions options = small_options(folder);
    options.train.traces[1] = {"progress", Node::map().set("seconds", Node::scalar("1e-9"))};
    (void)Estimator(options, settings).fit();
  });
}

}  // namespace hearth
