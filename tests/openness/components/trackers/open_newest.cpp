// The newest number of a run, in a file.
#include "trackers/open_newest.h"

#include "hearth/base/files.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"

namespace hearth::trackers {
namespace {

class OpenNewest : public Tracker {
 public:
  using Options = OpenNewestOptions;
  explicit OpenNewest(Options options) : options_(std::move(options)) {}

  // The log comes from its start, also when a resume cut it: forget what came before.
  void begin(const std::filesystem::path& run) override {
    path_ = run / options_.file;
    newest_.clear();
  }

  void take(const Event& event) override {
    for (const auto& [name, value] : event.values)
      newest_ = event.kind + " " + name + " " + shortest_number(value) + "\n";
  }

  // On a thread of its own: what it takes or throws never costs the training.
  void flush() override { write_file_durably(path_, newest_); }
  void settle() override { flush(); }

 private:
  Options options_;
  std::filesystem::path path_;
  std::string newest_;
};

}  // namespace

const Schema<OpenNewestOptions>& OpenNewestOptions::schema() {
  using O = OpenNewestOptions;
  static const auto schema =
      Schema<O>().field(&O::file, "file", "Its file in the run's folder.", not_empty());
  return schema;
}

Choice<Tracker> open_newest(OpenNewestOptions options) {
  return choose<Tracker>("open_newest", options);
}

void register_open_newest(Registry<Tracker>& registry) {
  registry.add<OpenNewest>("open_newest", "The newest number, in a file.");
}

}  // namespace hearth::trackers
