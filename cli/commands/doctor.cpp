// hearth doctor: declared here, carried out by the engine.
#include <CLI/CLI.hpp>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/engine.h"

namespace hearth::cli {
namespace {

class DoctorCommand : public Command {
 public:
  DoctorCommand()
      : Command({"doctor",
                 "Set up",
                 "Looks for what makes training slow or wrong on this machine, in words.",
                 "",
                 {"hearth doctor", "hearth doctor --json"}}) {}

  void declare(CLI::App&) override {}

  int run() override {
    arguments_.is_json = is_json();
    return run_in_engine("doctor", &arguments_);
  }

 private:
  DoctorArguments arguments_;
};

}  // namespace

void register_doctor(Commands& commands) { commands.add(std::make_unique<DoctorCommand>()); }

}  // namespace hearth::cli
