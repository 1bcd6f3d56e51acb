// Writes what the network makes of samples, the same ones after each evaluation: as a NumPy file,
// and as the two TSV files that TensorBoard's projector loads. With `when: train`, of an epoch's
// last batch.
#include "hearth/train/traces/embedding_saver.h"

#include <algorithm>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/data/source.h"
#include "hearth/format/npy.h"
#include "hearth/train/class_text.h"
#include "hearth/train/rows_trace.h"

namespace hearth::traces {
namespace {

// Tabs and line ends would begin another field.
std::string tsv_field(std::string text) {
  std::replace_if(
      text.begin(), text.end(),
      [](char byte) { return byte == '\t' || byte == '\n' || byte == '\r'; }, ' ');
  return text;
}

std::string tsv_of(const at::Tensor& rows) {
  std::string text;
  const auto* number = rows.data_ptr<float>();
  for (int64_t row = 0; row < rows.size(0); ++row)
    for (int64_t i = 0; i < rows.size(1); ++i)
      text += rounded_number(*number++, 6) + (i + 1 < rows.size(1) ? "\t" : "\n");
  return text;
}

class EmbeddingSaver : public RowsTrace {
 public:
  using Options = EmbeddingSaverOptions;
  explicit EmbeddingSaver(const Options& options)
      : RowsTrace(options.count, options.interval), options_(options) {}

  [[nodiscard]] std::vector<std::string> reads() const override {
    if (options_.label.empty()) return {options_.in};
    return {options_.in, options_.label};
  }
  void check(const std::vector<Spec>& inputs) const override {
    if (inputs[0].is_per_batch || !is_floating(inputs[0].dtype))
      throw GraphError("wants floats for each sample in '" + options_.in + "', but it is " +
                       inputs[0].text() + ".");
    if (inputs.size() > 1 && (!inputs[1].shape.empty() || is_floating(inputs[1].dtype)))
      throw GraphError("wants a class number for each sample in '" + options_.label +
                       "', but it is " + inputs[1].text() + ".");
  }
  [[nodiscard]] std::vector<std::string> writes(const std::string& set) const override {
    const std::string start = "files/" + options_.out + "." + set + "/step-<N>";
    return {start + ".npy", start + ".vectors.tsv", start + ".metadata.tsv"};
  }

 protected:
  void show(const Happening& happening, const FirstRows& rows, RunControl& run) const override {
    const std::vector<at::Tensor> values = rows.values();
    const at::Tensor vectors = values[0].to(at::kFloat).flatten(1).contiguous();
    std::string metadata = options_.label.empty() ? "name\tsample\n" : "label\tname\tsample\n";
    for (size_t i = 0; i < rows.samples().size(); ++i) {
      if (!options_.label.empty())
        metadata += tsv_field(class_text(rows.specs()[1],
                                         values[1][static_cast<int64_t>(i)].item<int64_t>())) +
                    "\t";
      metadata += tsv_field(happening.source->describe(rows.samples()[i])) + "\t" +
                  std::to_string(rows.samples()[i]) + "\n";
    }
    const std::string name = options_.out + "." + happening.set;
    (void)run.save_file(name, ".npy", [vectors] {
      return encode_npy("<f4", vectors.sizes().vec(),
                        {static_cast<const std::byte*>(vectors.data_ptr()), vectors.nbytes()});
    });
    (void)run.save_file(name, ".vectors.tsv", [vectors] { return tsv_of(vectors); });
    (void)run.save_file(name, ".metadata.tsv", [metadata] { return metadata; });
  }

 private:
  Options options_;
};

}  // namespace

const Schema<EmbeddingSaverOptions>& EmbeddingSaverOptions::schema() {
  using O = EmbeddingSaverOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::in, "in", "Key of the embeddings: floats, any shape.", not_empty())
          .field(&O::label, "label", "Key of class numbers to write beside them; left out: none.")
          .field(&O::count, "count", "Of the first how many samples of each evaluation.",
                 at_least(1), at_most(1000000))
          .field(&O::interval, "interval", "How often: 1ep, 5ep.", above(0))
          .field(&O::out, "out",
                 "Name of the folder below `files` in the run folder, before the set's.",
                 not_empty(), file_name());
  return schema;
}

Choice<Trace> embedding_saver(EmbeddingSaverOptions options) {
  return choose<Trace>("embedding_saver", options);
}

void register_embedding_saver(Registry<Trace>& registry) {
  registry.add<EmbeddingSaver>(
      "embedding_saver",
      "Writes what the network makes of samples, as NumPy and as TSV that a projector reads.");
}

}  // namespace hearth::traces
