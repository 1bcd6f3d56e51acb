// The keys of several sources side by side: sample i of one with sample i of each other.
#include "hearth/data/sources/zip.h"

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/data/side_by_side.h"
#include "hearth/data/source_list.h"

namespace hearth::sources {

namespace {

class Zip : public Source {
 public:
  using Options = ZipOptions;
  explicit Zip(Options options) : options_(std::move(options)) {}

  void open() override {
    for (size_t i = 0; i < options_.of.size(); ++i) {
      auto source = open_choice(options_.of[i]);
      const std::string& name = options_.of[i].name();
      if (i > 0 && source->size() != sources_[0].size())
        throw DataError("zip: its sources must have equally many samples, but " +
                        quote(options_.of[0].name()) + " has " + samples_text(sources_[0]) +
                        ", and " + quote(name) + " has " + samples_text(*source) +
                        ". Use subset or join.");
      sources_.add(std::move(source), name,
                   options_.prefixes.empty() ? std::string() : options_.prefixes[i]);
    }
  }

  std::vector<KeySpec> keys() const override { return sources_.keys(); }
  int64_t size() const override { return sources_[0].size(); }
  void read(int64_t index, std::span<const Cell> cells) const override {
    for (size_t i = 0; i < sources_.count(); ++i) sources_.read(i, index, cells);
  }
  uint64_t resident_bytes() const override { return sources_.resident_bytes(); }
  std::string fingerprint() const override { return "zip:" + sources_.fingerprint(); }
  std::string describe(int64_t index) const override { return sources_[0].describe(index); }

 private:
  static std::string samples_text(const Source& source) {
    return human_count(static_cast<uint64_t>(source.size()));
  }

  Options options_;
  SideBySide sources_{"zip"};
};

bool zip_prefixes_fit(const ZipOptions& options) {
  return options.prefixes.empty() || options.prefixes.size() == options.of.size();
}

}  // namespace

const Schema<ZipOptions>& ZipOptions::schema() {
  using O = ZipOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::of, "of", "The sources, which have equally many samples.", required(),
                 not_empty())
          .field(&O::prefixes, "prefixes",
                 "What goes before the keys of each source, such as [left_, right_]; '' leaves "
                 "them. Needed when two of them yield a key of the same name.")
          .check("'prefixes' must hold a text for each source, or none.", zip_prefixes_fit);
  return schema;
}

Choice<Source> zip(const ZipOptions& options) { return choose<Source>("zip", options); }

void register_zip(Registry<Source>& registry) {
  registry.add<Zip>("zip", "Several sources side by side: all their keys in one sample.");
}

}  // namespace hearth::sources
