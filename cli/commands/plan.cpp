// hearth plan: declared here, carried out by the engine.
#include <CLI/CLI.hpp>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/engine.h"
#include "cli/experiment_arguments.h"
#include "cli/flag_checks.h"
#include "hearth/base/error.h"
#include "hearth/config/byte_size.h"
#include "hearth/config/link_words.h"

namespace hearth::cli {
namespace {

constexpr int64_t kMostHosts = 1'000'000;

class PlanCommand : public Command {
 public:
  PlanCommand()
      : Command(
            {"plan",
             "Train",
             "Predicts a training on more machines from some steps measured on this one: memory, "
             "traffic, step time, efficiency.",
             "FILE... [KEY=VALUE...]",
             {"hearth plan digits.yaml --hosts 64 --network 25Gb",
              "hearth plan digits.yaml --hosts 4 --network 100Mb --latency 2ms --json",
              "hearth plan digits.yaml --hosts 16 --ranks-per-host 2 --weak"}}) {}

  void declare(CLI::App& app) override {
    declare_experiment(app, words_);
    app.add_option("--hosts", arguments_.hosts, "Machines, at most; 8 if left out.")
        ->check(whole_number_from(1))
        ->type_name("COUNT");
    app.add_option("--ranks-per-host", arguments_.ranks_per_host,
                   "Processes on each, which share its cores and its network; 1 if left out.")
        ->check(whole_number_from(1))
        ->type_name("COUNT");
    app.add_option("--network", network_, "What a host sends a second: 25Gb if left out.")
        ->check(link_rate())
        ->type_name("RATE");
    app.add_option("--latency", latency_, "Of a message: 50us if left out.")
        ->check(short_time())
        ->type_name("TIME");
    app.add_option("--local", local_,
                   "What the processes of one host send each other a second: 2GB if left out.")
        ->check(link_rate())
        ->type_name("RATE");
    app.add_option("--bucket", bucket_, "Gradients that are sent together: 4MiB if left out.")
        ->check(size_in_bytes())
        ->type_name("SIZE");
    app.add_flag("--no-overlap", is_after_, "As if buckets went after the backward pass.");
    app.add_flag("--weak", arguments_.is_weak,
                 "Every process takes a batch of data.batch_size, instead of its part of one.");
    app.add_option("--steps", arguments_.steps, "Steps to measure; 20 if left out.")
        ->check(whole_number_from(1))
        ->type_name("COUNT");
  }

  int run() override {
    arguments_.is_json = is_json();
    if (arguments_.hosts > kMostHosts || arguments_.ranks_per_host > kMostHosts)
      throw ConfigError("--hosts and --ranks-per-host may be " + std::to_string(kMostHosts) +
                        " at most.");
    arguments_.network_bytes = *read_link_rate(network_);
    arguments_.local_bytes = *read_link_rate(local_);
    arguments_.latency_seconds = *read_short_time(latency_);
    arguments_.bucket_bytes = ByteSize::from(bucket_)->bytes;
    arguments_.overlaps = !is_after_;
    sort_words(words_, "plan", arguments_);
    const std::optional<int> threads = check_early(arguments_);
    return run_in_engine("plan", &arguments_, threads);
  }

  std::vector<std::string> candidates(const Catalog& catalog) const override {
    return override_paths(catalog.experiment);
  }

 private:
  PlanArguments arguments_;
  std::vector<std::string> words_;
  std::string network_ = "25Gb";
  std::string latency_ = "50us";
  std::string local_ = "2GB";
  std::string bucket_ = "4MiB";
  bool is_after_ = false;
};

}  // namespace

void register_plan(Commands& commands) { commands.add(std::make_unique<PlanCommand>()); }

}  // namespace hearth::cli
