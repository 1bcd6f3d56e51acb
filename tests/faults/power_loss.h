// What a power loss may leave of files, by what a process did to them. As little as POSIX promises:
// bytes that were not synced may be there, or in part, or as zeros, or not at all; names that a
// folder was not synced with may be there or not, each for itself.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace hearth {

// One change of the disk, or a promise that earlier ones stay.
struct DiskCall {
  std::string call;  // "open", "write", "sync", "cut", "reserve", "rename", "remove", "mkdir"
  int descriptor = -1;
  int flags = 0;
  int64_t number = 0;  // an offset or a length
  std::string path = {};
  std::string to = {};     // of a rename
  std::string bytes = {};  // of a write
};
[[nodiscard]] std::vector<DiskCall> read_journal(const std::filesystem::path& journal);

// How the bytes of files that were not synced are found.
enum class Unsynced : uint8_t { kLost, kTorn, kZeros, kWritten };

// A file, whatever its names.
struct DiskFile {
  std::string synced;
  std::vector<DiskCall> waiting;  // writes, cuts and reservations since
  [[nodiscard]] std::string content(Unsynced how) const;
};

// A folder's or file's name.
struct DiskName {
  bool is_folder = false;
  std::shared_ptr<DiskFile> file = {};
};
using DiskNames = std::map<std::string, DiskName>;  // by path

// A change of a name that the folder was not synced with yet.
struct NameChange {
  std::string folder;
  std::string path;
  std::string from = {};  // of a rename
  bool is_removal = false;
  DiskName name = {};
};

// The disk after some of the calls, and what it may be after the power comes back.
class Disk {
 public:
  // Below `root`; what is there already is safe.
  explicit Disk(std::string root) : root_(std::move(root)) {}

  void apply(const DiskCall& call);
  [[nodiscard]] const DiskNames& names() const { return live_; }
  // Names that would be there in any case.
  [[nodiscard]] const DiskNames& safe_names() const { return safe_; }
  // Calls `visit` with every state that a power loss now may leave, by path.
  using State = std::map<std::string, std::string>;  // a folder's content is "/"
  void for_each_state(const std::function<void(const State&)>& visit) const;

 private:
  void open(const DiskCall& call);
  void sync(int descriptor);
  void change(NameChange change);
  [[nodiscard]] State state(const std::vector<bool>& kept, Unsynced how) const;
  static void apply_name(DiskNames& names, const NameChange& change);

  std::string root_;
  DiskNames live_;
  DiskNames safe_;
  std::vector<NameChange> waiting_;
  std::map<int, std::string> opened_;               // paths of folders by descriptor
  std::map<int, std::shared_ptr<DiskFile>> files_;  // by descriptor
};

}  // namespace hearth
