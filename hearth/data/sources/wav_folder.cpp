// WAV files in a folder for each class: `sound`, the mean of its channels, and `label`.
#include "hearth/data/sources/wav_folder.h"

#include <algorithm>
#include <filesystem>
#include <span>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/config/registry.h"
#include "hearth/data/image_files.h"
#include "hearth/data/key_specs.h"
#include "hearth/data/sample_file.h"
#include "hearth/format/wav.h"

namespace hearth::sources {

namespace {

constexpr int64_t kTriedFiles = 100;  // for the rate

// Names that begin with a dot are of programs, not of sounds.
bool is_hidden(const fs::path& path) { return path.filename().string().starts_with('.'); }

bool has_wav_name(const fs::path& file) {
  if (is_hidden(file)) return false;
  std::string ending = file.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char letter) { return std::tolower(letter); });
  return ending == ".wav";
}

class WavFolder : public Source {
 public:
  using Options = WavFolderOptions;
  explicit WavFolder(Options options) : options_(std::move(options)), files_(options_.folder) {}

  void open() override {
    require_folder(options_.folder);
    for (const fs::path& folder : list_folder(options_.folder)) {
      if (is_hidden(folder) || !fs::is_directory(folder)) continue;
      for (const fs::path& file : list_folder(folder)) {
        if (!has_wav_name(file)) continue;
        files_.add(file.lexically_relative(options_.folder).string());
        labels_.push_back(static_cast<int32_t>(names_.size()));
      }
      names_.push_back(folder.filename().string());
    }
    if (labels_.empty())
      throw DataError(options_.folder +
                      ": holds no sounds. Expected a folder for each class, with WAV files in it.");
    find_rate();
  }

  std::vector<KeySpec> keys() const override {
    Spec sound{.dtype = DType::kFloat32, .shape = {kAnyLength}};
    sound.role = Role::kSound;
    sound.rate = rate_;
    return {{"sound", sound}, {"label", class_key(static_cast<int64_t>(names_.size()), names_)}};
  }

  int64_t size() const override { return files_.size(); }

  void read(int64_t index, std::span<const Cell> cells) const override {
    if (cells[0].is_wanted()) read_sound(files_.path(index), cells[0]);
    if (cells[1].is_wanted()) cells[1].set(int64_t{labels_[static_cast<size_t>(index)]});
  }

  uint64_t resident_bytes() const override {
    return files_.resident_bytes() + labels_.capacity() * sizeof(int32_t);
  }
  std::string fingerprint() const override { return "wav_folder:" + files_.digest(); }
  std::string describe(int64_t index) const override { return std::string(files_.name(index)); }

 private:
  // That of the first file that can be read: a damaged one is left to `on_error`.
  void find_rate() {
    std::string bytes;
    for (int64_t i = 0; i < std::min(size(), kTriedFiles); ++i) {
      const fs::path path = files_.path(i);
      try {
        read_sample_file(path, bytes);
        rate_ = parse_wav(bytes, path.string()).rate;
      } catch (const DataError&) {
        if (i + 1 == std::min(size(), kTriedFiles)) throw;
        continue;
      }
      rate_ = options_.rate.value_or(rate_);
      return (void)sound_of(bytes, path);
    }
  }

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
  ImageFiles files_;
  std::vector<int32_t> labels_;
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
                 "Samples a second that every file must have. Left out: as many as the first one "
                 "that can be read.",
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
