// Samples of a source that a file lists, a number in each line; one may come several times.
#include "hearth/data/sources/selection.h"

#include "hearth/base/digest.h"
#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/data/source_list.h"

namespace hearth::sources {

namespace {

constexpr uint64_t kIndicesLimitBytes = 2ULL << 30;

class Selection : public Source {
 public:
  using Options = SelectionOptions;
  explicit Selection(Options options) : options_(std::move(options)) {}

  void open() override {
    source_ = open_choice(*options_.of);
    check_size();
    const std::string text = read_file(options_.indices, kIndicesLimitBytes);
    digest_ = sha256_hex(text);
    if (!options_.digest.empty() && digest_ != options_.digest)
      throw DataError(options_.indices +
                      " is not the file that this config was made with: `digest` says so. Put that "
                      "one back, or set `digest` to nothing and take this one.");
    read_indices(text);
    if (indices_.empty()) throw DataError(options_.indices + ": lists no sample.");
  }

  std::vector<KeySpec> keys() const override { return source_->keys(); }
  int64_t size() const override { return static_cast<int64_t>(indices_.size()); }
  void read(int64_t index, std::span<const Cell> cells) const override {
    source_->read(indices_[static_cast<size_t>(index)], cells);
  }
  uint64_t resident_bytes() const override {
    return source_->resident_bytes() + indices_.capacity() * sizeof(int64_t);
  }
  std::string fingerprint() const override {
    return "selection:" + digest_ + ":" + source_->fingerprint();
  }
  std::string describe(int64_t index) const override {
    return source_->describe(indices_[static_cast<size_t>(index)]);
  }

 private:
  // Files that came or went since shift the numbers of all that follow.
  void check_size() const {
    if (source_->size() == options_.samples_of_source.value_or(source_->size())) return;
    throw DataError(options_.indices + ": was written for " +
                    std::to_string(*options_.samples_of_source) + " samples of " +
                    quote(options_.of->name()) + ", which has " + std::to_string(source_->size()) +
                    " now, so that its numbers mean other samples. Write it anew, as with `hearth "
                    "data clean`, or put the data back.");
  }

  void read_indices(std::string_view text) {
    int64_t line = 0;
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = std::min(text.find('\n', begin), text.size());
      const std::string_view written = trim(text.substr(begin, end - begin));
      begin = end + 1;
      ++line;
      if (written.empty()) continue;
      const std::optional<int64_t> index = read_integer(written);
      if (!index || *index < 0 || *index >= source_->size())
        throw DataError(options_.indices + ":" + std::to_string(line) + ": " + quote(written) +
                        " is not the number of a sample: " + quote(options_.of->name()) +
                        " has those from 0 to " + std::to_string(source_->size() - 1) + ".");
      indices_.push_back(*index);
    }
  }

  Options options_;
  std::unique_ptr<Source> source_;
  std::string digest_;
  std::vector<int64_t> indices_;
};

}  // namespace

const Schema<SelectionOptions>& SelectionOptions::schema() {
  using O = SelectionOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::of, "of", "The source.", required())
          .field(&O::indices, "indices",
                 "A text file with the number of a sample in each line; 0 is the first.", is_path(),
                 required(), not_empty())
          .field(&O::digest, "digest",
                 "SHA-256 of the file. Left out, a run fills it in when it starts, so that it does "
                 "not go on with another file.",
                 digest_of("indices"))
          .field(&O::samples_of_source, "samples_of_source",
                 "How many samples the source had when the file was written. With another number "
                 "of them, a run does not start: the file would mean other samples.",
                 at_least(1))
          .field(&O::provenance, "provenance",
                 "A JSON file that says where the samples came from and what was left out, as "
                 "`hearth data clean` writes it; a run keeps what it says in provenance.json.",
                 is_path());
  return schema;
}

Choice<Source> selection(const SelectionOptions& options) {
  return choose<Source>("selection", options);
}

void register_selection(Registry<Source>& registry) {
  registry.add<Selection>("selection",
                          "Samples of a source that a file lists, as `hearth data clean` writes.");
}

}  // namespace hearth::sources
