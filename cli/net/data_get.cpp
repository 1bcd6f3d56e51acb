// hearth data get: a known data set from the net into a folder that projects share.
#include <cstdlib>
#include <optional>
#include <system_error>
#include <utility>

#include <nlohmann/json.hpp>

#include "cli/arguments.h"
#include "cli/net/download.h"
#include "cli/net/unpack.h"
#include "cli/table.h"
#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/terminal.h"
#include "hearth/base/text.h"
#include "hearth/format/json.h"

namespace hearth::cli {
namespace {

// Where data sets lie unless --to says otherwise.
fs::path data_folder(const std::string& given) {
  if (!given.empty()) return fs::absolute(given);
  const auto value = [](const char* name) {
    const char* text = std::getenv(name);
    return std::string(text == nullptr ? "" : text);
  };
  if (const std::string cache = value("XDG_CACHE_HOME"); !cache.empty())
    return fs::path(cache) / "hearth" / "data";
  if (const std::string home = value("HOME"); !home.empty())
    return fs::path(home) / ".cache" / "hearth" / "data";
  throw ConfigError(
      "Neither XDG_CACHE_HOME nor HOME says where data sets may lie; use --to FOLDER.");
}

RemoteFile from_mirror(RemoteFile file, const std::string& mirror) {
  if (mirror.empty()) return file;
  file.url = mirror + (mirror.ends_with('/') ? "" : "/") + file.name();
  return file;
}

DownloadProgress console_download(const std::string& name) {
  return [name](uint64_t done, uint64_t all, double rate) {
    std::vector<std::string> parts = {name, human_bytes(done)};
    if (all > 0) parts.back() += " of " + human_bytes(all);
    if (rate > 0) parts.push_back(human_bytes(static_cast<uint64_t>(rate)) + "/s");
    if (rate > 0 && all > done)
      parts.push_back(human_seconds(static_cast<double>(all - done) / rate) + " left");
    show_passing(parts);
  };
}

// Where files come to, for one process at a time. What has come stays for the next try; where
// nothing has, nothing is left.
class Downloads {
 public:
  explicit Downloads(fs::path folder) : folder_(std::move(folder)) {
    make_folder(folder_);
    lock_.emplace(folder_);
  }
  Downloads(const Downloads&) = delete;
  Downloads& operator=(const Downloads&) = delete;
  ~Downloads() {
    std::error_code ignored;
    bool has_come = false;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_, ignored))
      has_come = has_come || (entry.path().filename() != ".lock" && entry.file_size(ignored) > 0);
    if (!has_come) fs::remove_all(folder_, ignored);
  }
  [[nodiscard]] const fs::path& folder() const { return folder_; }

 private:
  fs::path folder_;
  std::optional<FolderLock> lock_;
};

// All files with the right checksums in a draft of the folder, which then gets its name at once.
void get_into(const RemoteSet& set, const std::string& mirror, const fs::path& folder) {
  const Downloads held(folder.string() + ".download");
  if (is_there(folder)) return;  // got meanwhile by another process
  const fs::path& downloads = held.folder();
  for (const RemoteFile& given : set.files) {
    const RemoteFile file = from_mirror(given, mirror);
    download(file, downloads / file.name(), console_download(file.name()));
  }
  const fs::path draft = folder.string() + ".draft";
  fs::remove_all(draft);
  make_folder(draft);
  for (const RemoteFile& file : set.files) {
    const fs::path archive = downloads / file.name();
    if (is_archive(archive))
      unpack(archive, draft, [&](size_t done, size_t all) {
        show_passing(
            {"unpacking " + file.name(), human_count(done) + " of " + human_count(all) + " files"});
      });
    else
      fs::rename(archive, draft / file.name());
  }
  fs::rename(draft, folder);
  sync_folder(folder.parent_path());
  fs::remove_all(downloads);
}

std::string usage_of(const RemoteSet& set, const fs::path& folder) {
  std::string text = set.use;
  for (size_t at = text.find("FOLDER"); at != text.npos; at = text.find("FOLDER", at))
    text.replace(at, 6, folder.string());
  return text;
}

int list_sets(bool is_json) {
  Rows rows;
  nlohmann::json json = nlohmann::json::array();
  for (const std::string& name : remote_set_names()) {
    const RemoteSet set = load_remote_set(name);
    rows.push_back({name, set.about});
    json.push_back({{"name", name}, {"about", set.about}});
  }
  if (is_json)
    print(json_line(json));
  else
    print_page("Data sets\n" + two_columns(rows, page_width(), 20));
  if (!is_json) say_next("hearth data get " + rows.front().first);
  return 0;
}

}  // namespace

extern "C" int hearth_command_data_get(const void* given) {
  const auto& arguments = *static_cast<const DataGetArguments*>(given);
  if (arguments.name.empty()) return list_sets(arguments.is_json);
  const RemoteSet set = load_remote_set(arguments.name);
  if (!arguments.mirror.empty()) check_address(arguments.mirror);
  const fs::path folder = data_folder(arguments.folder) / fs::path(arguments.name).stem();
  const bool was_there = is_there(folder);
  if (!was_there) {
    make_folder(folder.parent_path());
    get_into(set, arguments.mirror, folder);
  }
  if (arguments.is_json) {
    print(json_line(nlohmann::json{{"folder", folder.string()}, {"use", usage_of(set, folder)}}));
    return 0;
  }
  print((was_there ? "already there: " : "got ") + folder.string() + "\n");
  if (!set.use.empty()) print("\n" + usage_of(set, folder));
  return 0;
}

}  // namespace hearth::cli
