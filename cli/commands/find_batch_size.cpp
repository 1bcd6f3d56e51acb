// hearth find batch-size: declared here, carried out by the engine.
#include <CLI/CLI.hpp>

#include "cli/command.h"
#include "cli/engine.h"
#include "cli/experiment_arguments.h"
#include "cli/find_arguments.h"
#include "cli/flag_checks.h"
#include "hearth/base/error.h"
#include "hearth/config/byte_size.h"

namespace hearth::cli {
namespace {

class FindBatchSizeCommand : public Command {
 public:
  FindBatchSizeCommand()
      : Command({"find batch-size",
                 "Understand",
                 "Tries batch sizes on a copy: which fit, which are fast, and what else would "
                 "change.",
                 "FILE... | RUN [KEY=VALUE...]",
                 {"hearth find batch-size digits.yaml",
                  "hearth find batch-size digits.yaml --to 2048 --memory 4GB"}}) {}

  void declare(CLI::App& app) override {
    declare_find(app, words_, arguments_);
    app.add_option("--from", arguments_.from,
                   "The smallest size; 8 if left out, or the config's if that is less.")
        ->check(whole_number_from(1))
        ->type_name("N");
    app.add_option("--to", arguments_.to,
                   "The largest size. Left out, sizes are doubled until two in a row are no "
                   "faster, or the data or the memory end.")
        ->check(whole_number_from(1))
        ->type_name("N");
    app.add_option("--seconds", arguments_.seconds, "How long to try each size; 1 if left out.")
        ->check(number_between(0.01, 3600))
        ->type_name("N");
    app.add_option("--memory", memory_,
                   "How much the process may take; four fifths of the machine's, or of its "
                   "control group's, if left out.")
        ->check(size_in_bytes())
        ->type_name("BYTES");
  }

  int run() override {
    arguments_.is_json = is_json();
    if (!memory_.empty()) arguments_.memory_bytes = ByteSize::from(memory_)->bytes;
    const std::optional<int> threads = settle_find(words_, "find batch-size", arguments_);
    return run_in_engine("find_batch_size", &arguments_, threads);
  }

  std::vector<std::string> candidates(const Catalog& catalog) const override {
    return override_paths(catalog.experiment);
  }

 private:
  FindBatchSizeArguments arguments_;
  std::vector<std::string> words_;
  std::string memory_;
};

}  // namespace

void register_find_batch_size(Commands& commands) {
  commands.add(std::make_unique<FindBatchSizeCommand>());
}

}  // namespace hearth::cli
