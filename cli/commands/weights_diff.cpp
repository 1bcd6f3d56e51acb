// hearth weights diff: two files of weights by their names.
#include <CLI/CLI.hpp>

#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "hearth/base/letters.h"
#include "hearth/base/terminal.h"
#include "hearth/base/text.h"
#include "hearth/format/json.h"
#include "hearth/format/weight_statistics.h"

namespace hearth::cli {
namespace {

std::string difference_text(const WeightDifference& difference) {
  if (difference.left == nullptr) return "only in the second: " + text_of(*difference.right);
  if (difference.right == nullptr) return "only in the first: " + text_of(*difference.left);
  if (!difference.has_same_shape())
    return text_of(*difference.left) + " against " + text_of(*difference.right);
  const std::string types =
      difference.left->type == difference.right->type
          ? ""
          : text_of(*difference.left) + " against " + text_of(*difference.right) + "; ";
  if (difference.differing == 0) return types + "the same numbers";
  return types + human_count(difference.differing) + " of " +
         human_count(difference.left->count()) + " numbers differ, by " +
         shortest_number(difference.largest) + " at most (number " +
         human_count(difference.largest_at) + ")";
}

nlohmann::ordered_json json_of(const WeightDifference& difference) {
  nlohmann::ordered_json json = {{"name", difference.name}, {"said", difference_text(difference)}};
  if (difference.has_same_shape()) {
    json["differing"] = difference.differing;
    json["largest"] = difference.largest;
  }
  return json;
}

class WeightsDiffCommand : public Command {
 public:
  WeightsDiffCommand()
      : Command({"weights diff",
                 "Understand",
                 "Compares two files of weights by name; the exit code is 1 when they differ.",
                 "FILE FILE",
                 {"hearth weights diff before.pt after.safetensors",
                  "hearth weights diff runs/digits-1 runs/digits-2"}}) {}

  void declare(CLI::App& app) override {
    app.add_option("FIRST", left_, "A file, or the folder of a run or an exported model.")
        ->required();
    app.add_option("SECOND", right_, "Another one, of any format.")->required();
  }

  int run() override {
    const WeightFile left(left_);
    const WeightFile right(right_);
    const std::vector<WeightDifference> all = differences(left, right);
    size_t equal = 0;
    nlohmann::ordered_json listed = nlohmann::ordered_json::array();
    for (const WeightDifference& difference : all) {
      if (difference.is_equal())
        ++equal;
      else if (is_json())
        listed.push_back(json_of(difference));
      else
        print("  " + visible(difference.name) + ": " + difference_text(difference) + "\n");
    }
    if (is_json())
      print(json_line(nlohmann::ordered_json{
          {"equal", equal}, {"differing", all.size() - equal}, {"differences", listed}}));
    else
      print(human_count(equal) + " of " + human_count(all.size()) + " tensors are equal.\n");
    return equal == all.size() ? 0 : 1;
  }

 private:
  std::string left_;
  std::string right_;
};

}  // namespace

void register_weights_diff(Commands& commands) {
  commands.add(std::make_unique<WeightsDiffCommand>());
}

}  // namespace hearth::cli
