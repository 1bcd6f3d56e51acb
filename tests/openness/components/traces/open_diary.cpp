// Says after each epoch what the metric was.
#include "traces/open_diary.h"

#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/train/trace.h"

namespace hearth::traces {
namespace {

class OpenDiary : public Trace {
 public:
  using Options = OpenDiaryOptions;
  explicit OpenDiary(Options options) : options_(std::move(options)) {}

  std::vector<std::string> monitors() const override { return {options_.monitor}; }

  // Without `interests`, it is told of the end of each epoch.
  void hear(const Happening&, RunControl& run) override {
    run.notice("dear diary, " + options_.monitor + " was " +
               shortest_number(run.metrics().at(options_.monitor)));
  }

 private:
  Options options_;
};

}  // namespace

const Schema<OpenDiaryOptions>& OpenDiaryOptions::schema() {
  using O = OpenDiaryOptions;
  static const auto schema =
      Schema<O>().field(&O::monitor, "monitor", "Metric to watch, with its mode.", not_empty());
  return schema;
}

Choice<Trace> open_diary(OpenDiaryOptions options) { return choose<Trace>("open_diary", options); }

void register_open_diary(Registry<Trace>& registry) {
  registry.add<OpenDiary>("open_diary", "Says after every epoch what a metric was.");
}

}  // namespace hearth::traces
