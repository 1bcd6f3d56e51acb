// WAV files in a folder for each class: `sound`, the mean of its channels, and `label`.
#include "hearth/data/sources/wav_folder.h"

#include <algorithm>
#include <filesystem>
#include <span>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/config/registry.h"
#include "hearth/data/key_specs.h"
#include "hearth/data/sample_file.h"
#include "hearth/format/wav.h"

namespace hearth::sources {

namespace {

bool has_wav_name(const fs::path& file) {
  std::string ending = file.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char letter) { return std::tolower(letter); });
  return ending == ".wav";
}

class WavFolder : public Source {
 public:
  using Options = WavFolderOptions;
  explicit WavFolder(Options options) : options_(std::move(options)) {}

  void open() override {
    require_folder(options_.folder);
    for (const fs::path& folder : list_folder(options_.folder)) {
      if (!fs::is_directory(folder)) continue;
      const auto label = static_cast<int64_t>(names_.size());
      names_.push_back(folder.filename().string());
      for (const fs::path& file : list_folder(folder))
        if (has_wav_name(file)) files_.push_back({file, label});
    }
    if (files_.empty())
      throw DataError(options_.folder +
                      ": holds no sounds. Expected a folder for each class, with WAV files in it.");
    std::string bytes;
    read_sample_file(files_[0].path, bytes);
    rate_ = options_.rate.value_or(parse_wav(bytes, files_[0].path.string()).rate);
    (void)sound_of(bytes, files_[0].path);
  }

  std::vector<KeySpec> keys() const override {
    Spec sound{.dtype = DType::kFloat32, .shape = {kAnyLength}};
    sound.role = Role::kSound;
    sound.rate = rate_;
    return {{"sound", sound}, {"label", class_key(static_cast<int64_t>(names_.size()), names_)}};
  }

  int64_t size() const override { return static_cast<int64_t>(files_.size()); }

  void read(int64_t index, std::span<const Cell> cells) const override {
    const File& file = files_[static_cast<size_t>(index)];
    if (cells[0].is_wanted()) read_sound(file.path, cells[0]);
    if (cells[1].is_wanted()) cells[1].set(file.label);
  }

  std::string fingerprint() const override {
    SampleFilesDigest digest(files_.size());
    for (const File& file : files_) {
      digest.add(file.path.lexically_relative(options_.folder).string() + ":");
      digest.add_file(file.path);
    }
    return "wav_folder:" + digest.finish();
  }
  std::string describe(int64_t index) const override {
    return files_[static_cast<size_t>(index)].path.lexically_relative(options_.folder).string();
  }

 private:
  struct File {
    fs::path path;
    int64_t label = 0;
  };

  [[nodiscard]] WavSound sound_of(const std::string& bytes, const fs::path& path) const {
    return parse_wav_of_rate(bytes, path.string(), rate_,
                             options_.rate ? "as `rate` says" : "as the first file has");
  }

  void read_sound(const fs::path& path, const Cell& cell) const {
    thread_local std::string bytes;
    read_sample_file(path, bytes);
    const WavSound sound = sound_of(bytes, path);
    read_wav(sound, cell.take({sound.samples()}).as<float>());
  }

  Options options_;
  std::vector<std::string> names_;
  std::vector<File> files_;
  int64_t rate_ = 0;
};

}  // namespace

const Schema<WavFolderOptions>& WavFolderOptions::schema() {
  using O = WavFolderOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::folder, "folder",
                 "A folder with a folder for each class, named after it, that holds WAV files.",
                 is_path(), required(), not_empty())
          .field(&O::rate, "rate",
                 "Samples a second that every file must have. Left out: as many as the first one.",
                 at_least(1));
  return schema;
}

Choice<Source> wav_folder(WavFolderOptions options) {
  return choose<Source>("wav_folder", options);
}

void register_wav_folder(Registry<Source>& registry) {
  registry.add<WavFolder>("wav_folder", "WAV files in a folder for each class.");
}

}  // namespace hearth::sources
