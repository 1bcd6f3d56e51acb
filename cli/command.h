// A command of the program, and the list of all of them. A new command is one new file in
// commands/.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "hearth/config/catalog.h"

namespace CLI {
class App;
}

namespace hearth::cli {

struct CommandInfo {
  std::string name;   // one word, or two for one of a family: "data bench"
  std::string group;  // its heading in the program's help
  std::string help;   // one line
  std::string usage;  // what follows the name: "FILE... [KEY=VALUE...]"
  std::vector<std::string> examples;
  bool has_json = true;  // false for scripts and pages, which are no results
};

class Command {
 public:
  explicit Command(CommandInfo info) : info_(std::move(info)) {}
  virtual ~Command() = default;
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  [[nodiscard]] const CommandInfo& info() const { return info_; }
  // Whether the result is wanted as one line of JSON; `make_parser` declares the flag.
  [[nodiscard]] bool is_json() const { return is_json_; }
  // Binds its flags and positionals to members.
  virtual void declare(CLI::App& app) = 0;
  // Carries it out after parsing; the answer is the exit code.
  virtual int run() = 0;
  // Words that may stand as its arguments, for the shell's completion.
  [[nodiscard]] virtual std::vector<std::string> candidates(const Catalog& catalog) const {
    (void)catalog;
    return {};
  }

 private:
  friend std::unique_ptr<CLI::App> make_parser(Command& command);
  CommandInfo info_;
  bool is_json_ = false;
};

class Commands {
 public:
  void add(std::unique_ptr<Command> command) { all_.push_back(std::move(command)); }
  [[nodiscard]] const std::vector<std::unique_ptr<Command>>& all() const { return all_; }
  [[nodiscard]] Command* find(std::string_view name) const;
  // The command whose name the words begin with; it takes the rest of them.
  [[nodiscard]] Command* find(const std::vector<std::string>& words) const;
  [[nodiscard]] std::vector<std::string> first_words() const;
  // The commands of a family, "data" for "data bench"; empty when there is none.
  [[nodiscard]] std::vector<const Command*> family(const std::string& first) const;

 private:
  std::vector<std::unique_ptr<Command>> all_;
};

// How many words of the command line a command's name takes.
[[nodiscard]] size_t words_in(const CommandInfo& info);
// "bench" of "data bench".
[[nodiscard]] std::string last_word(const CommandInfo& info);

// Calls register_<file>() of every file in commands/; written by the build.
void register_all(Commands& commands);

// The parser of one command, with its flags declared and its help in Hearth's form.
[[nodiscard]] std::unique_ptr<CLI::App> make_parser(Command& command);

}  // namespace hearth::cli
