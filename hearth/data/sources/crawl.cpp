// Files of a folder whose names, and tables beside them, say what they show: the content, and a
// class for each annotation.
#include "hearth/data/sources/crawl.h"

#include <algorithm>
#include <set>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/data/crawler.h"
#include "hearth/data/sample_file.h"

namespace hearth::sources {

namespace {

class Crawl : public Source {
 public:
  using Options = CrawlOptions;
  explicit Crawl(Options options) : options_(std::move(options)) {}

  void open() override {
    const Crawled found = crawl_folder(options_);
    const std::vector<size_t> chosen = found.files_of(options_.split);
    if (chosen.empty())
      throw DataError("crawl: " + options_.folder + ": split " + quote(options_.split) +
                      " has no files." + left_out_text(found));
    for (const size_t file : chosen) paths_.push_back(found.files[file].path);
    if (options_.content != "none") keys_.push_back({options_.content, content_spec()});
    for (size_t i = 0; i < found.annotations.size(); ++i)
      if (is_key(found.annotations[i])) add_annotation(found, i, chosen);
    if (keys_.empty())
      throw DataError("crawl: without content and without annotations nothing is yielded.");
  }

  std::vector<KeySpec> keys() const override { return keys_; }
  int64_t size() const override { return static_cast<int64_t>(paths_.size()); }

  void read(int64_t index, std::span<const Cell> cells) const override {
    const size_t first = options_.content == "none" ? 0 : 1;
    if (first == 1 && cells[0].is_wanted()) read_sample_file(path_of(index), cells[0]);
    for (size_t i = 0; i < labels_.size(); ++i)
      if (cells[first + i].is_wanted())
        cells[first + i].set(int64_t{labels_[i][static_cast<size_t>(index)]});
  }

  uint64_t resident_bytes() const override {
    uint64_t bytes = paths_.capacity() * sizeof(std::string);
    for (const std::string& path : paths_) bytes += path.capacity();
    for (const auto& labels : labels_) bytes += labels.capacity() * sizeof(uint32_t);
    return bytes;
  }
  std::string fingerprint() const override {
    SampleFilesDigest digest(paths_.size());
    for (const KeySpec& key : keys_) digest.add(key.key + ":" + key.spec.to_json().dump() + "\n");
    for (size_t i = 0; i < paths_.size(); ++i) {
      std::string facts = paths_[i];
      for (const auto& labels : labels_) facts += ":" + std::to_string(labels[i]);
      digest.add(facts + "\n");
      if (options_.content != "none") digest.add_file(path_of(static_cast<int64_t>(i)));
    }
    return "crawl:" + digest.finish();
  }
  std::string describe(int64_t index) const override { return paths_[static_cast<size_t>(index)]; }

 private:
  [[nodiscard]] bool is_key(const std::string& annotation) const {
    if (options_.keys.empty()) return annotation != "split";
    return std::find(options_.keys.begin(), options_.keys.end(), annotation) != options_.keys.end();
  }

  [[nodiscard]] Spec content_spec() const {
    Spec spec{.dtype = DType::kUint8, .shape = {kAnyLength}};
    if (options_.content == "image") spec.role = Role::kEncodedImage;
    if (options_.content == "text") spec.role = Role::kText;
    return spec;
  }

  // Numbers within a split mean something else in another one, so those have no names.
  void add_annotation(const Crawled& found, size_t annotation, const std::vector<size_t>& chosen) {
    const std::string& name = found.annotations[annotation];
    if (name == options_.content)
      throw DataError("crawl: the annotation " + quote(name) +
                      " has the name of the content's key. Call the field otherwise.");
    std::vector<uint32_t> labels;
    for (const size_t file : chosen) labels.push_back(found.value(file, annotation));
    Spec spec{.dtype = DType::kInt64, .role = Role::kClass};
    const auto& by_split = options_.number_by_split;
    if (std::find(by_split.begin(), by_split.end(), name) == by_split.end()) {
      spec.class_names = found.names[annotation];
      spec.classes = static_cast<int64_t>(spec.class_names.size());
    } else {
      const std::set<uint32_t> distinct(labels.begin(), labels.end());
      const std::vector<uint32_t> sorted(distinct.begin(), distinct.end());
      for (uint32_t& label : labels)
        label = static_cast<uint32_t>(std::lower_bound(sorted.begin(), sorted.end(), label) -
                                      sorted.begin());
      spec.classes = static_cast<int64_t>(sorted.size());
    }
    keys_.push_back({name, spec});
    labels_.push_back(std::move(labels));
  }

  static std::string left_out_text(const Crawled& found) {
    std::string text;
    for (const LeftOut& left : found.left_out)
      text += " " + human_count(static_cast<uint64_t>(left.count)) + ": " + left.reason +
              ", such as " + quote(left.example) + ".";
    return text;
  }

  [[nodiscard]] fs::path path_of(int64_t index) const {
    return fs::path(options_.folder) / paths_[static_cast<size_t>(index)];
  }

  Options options_;
  std::vector<std::string> paths_;
  std::vector<KeySpec> keys_;
  std::vector<std::vector<uint32_t>> labels_;  // of each annotation that is a key
};

}  // namespace

const Schema<CrawlSplitOptions>& CrawlSplitOptions::schema() {
  using O = CrawlSplitOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::where, "where", "Values by annotation: the files that have one of them.")
          .field(&O::except, "except", "Values by annotation: the files that have none of them.");
  return schema;
}

const Schema<SideFileOptions>& SideFileOptions::schema() {
  using O = SideFileOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::file, "file",
                 "CSV with column names in its first line, or an object of JSON in each line "
                 "(.jsonl).",
                 is_path(), required(), not_empty())
          .field(&O::key, "key", "The column that says which file a row is about.", not_empty())
          .field(&O::on, "on",
                 "What that column holds: a file's name, its name without ending (stem), its path, "
                 "or the value of an annotation, given by name.",
                 not_empty())
          .field(&O::columns, "columns",
                 "The columns that become annotations; left out: all others.")
          .field(&O::missing, "missing",
                 "What becomes of a file without a row: it is left out, or an error.",
                 one_of({"drop", "error"}));
  return schema;
}

const Schema<CrawlOptions>& CrawlOptions::schema() {
  using O = CrawlOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::folder, "folder", "The folder with the files, in it or in folders below.",
                 is_path(), required(), not_empty())
          .field(&O::patterns, "patterns",
                 "How paths below the folder look, such as '{split}/{class}/{id}_c{camera:int}_{*}."
                 "jpg': {name} becomes an annotation, {name:int} one of digits, {*} is any part of "
                 "a name, {**} of a path. The first one that fits counts.",
                 required(), not_empty())
          .field(&O::content, "content",
                 "What the files hold, which is also the key it comes as; none: only annotations.",
                 one_of({"image", "text", "bytes", "none"}))
          .field(&O::side_files, "side_files", "Tables beside the files, with more annotations.")
          .field(&O::classes, "classes",
                 "By annotation: the class that each of its values stands for. Files with other "
                 "values are left out.")
          .field(&O::where, "where", "Values by annotation: only files that have one of them.")
          .field(&O::except, "except", "Values by annotation: only files that have none of them.")
          .field(&O::splits, "splits",
                 "Splits by name, such as train, query, gallery, unseen, by values of annotations. "
                 "Left out: the values of the annotation 'split', if there is one.")
          .field(&O::split, "split", "Which of the splits this is; all: every file in any of them.",
                 not_empty())
          .field(&O::keys, "keys", "The annotations that become keys; left out: all but 'split'.")
          .field(&O::number_by_split, "number_by_split",
                 "Annotations whose classes are numbered within this split, such as the persons of "
                 "re-identification. All others have the same numbers in every split.");
  return schema;
}

Choice<Source> crawl(const CrawlOptions& options) { return choose<Source>("crawl", options); }

void register_crawl(Registry<Source>& registry) {
  registry.add<Crawl>("crawl",
                      "Files whose paths and side files say what they show, in several splits.");
}

}  // namespace hearth::sources
