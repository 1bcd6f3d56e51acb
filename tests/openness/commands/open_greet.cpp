// hearth open_greet: greets somebody by name.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "hearth/base/terminal.h"
#include "hearth/format/json.h"

namespace hearth::cli {
namespace {

class OpenGreetCommand : public Command {
 public:
  OpenGreetCommand()
      : Command(
            {"open_greet", "Use", "Greets somebody by name.", "NAME", {"hearth open_greet you"}}) {}

  void declare(CLI::App& app) override {
    app.add_option("NAME", name_, "Who is greeted.")->required();
    app.add_flag("--twice", is_twice_, "Greets a second time.");
  }

  int run() override {
    const std::string greeting = "hello " + name_ + (is_twice_ ? ", hello " + name_ : "");
    print(is_json() ? json_line(nlohmann::json{{"greeting", greeting}}) : greeting + "\n");
    return 0;
  }

 private:
  std::string name_;
  bool is_twice_ = false;
};

}  // namespace

void register_open_greet(Commands& commands) { commands.add(std::make_unique<OpenGreetCommand>()); }

}  // namespace hearth::cli
