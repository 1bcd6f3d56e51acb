// What a power loss may leave of files.
#include "power_loss.h"

#include <fcntl.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "hearth/base/error.h"
#include "hearth/base/files.h"

namespace hearth {
namespace {

std::string parent_of(const std::string& path) { return fs::path(path).parent_path().string(); }

DiskCall read_call(std::istream& stream, const std::string& name) {
  DiskCall call{.call = name};
  std::string rest;
  if (name == "open") {
    stream >> call.descriptor >> call.flags >> std::ws;
    std::getline(stream, call.path);
  } else if (name == "write") {
    size_t size = 0;
    stream >> call.descriptor >> call.number >> size;
    stream.get();
    call.bytes.resize(size);
    stream.read(call.bytes.data(), static_cast<std::streamsize>(size));
  } else if (name == "sync" || name == "cut" || name == "reserve") {
    stream >> call.descriptor >> call.number;
  } else {
    stream >> std::ws;
    std::getline(stream, rest);
    const size_t tab = rest.find('\t');
    call.path = rest.substr(0, tab);
    if (tab != rest.npos) call.to = rest.substr(tab + 1);
  }
  return call;
}

// What a call makes of a file's content; `share` of a write arrives, the rest of its place is
// zeros.
void apply_to(std::string& content, const DiskCall& call, double share) {
  const auto number = static_cast<size_t>(call.number);
  if (call.call == "cut") return content.resize(number);
  if (call.call == "reserve") return content.resize(std::max(content.size(), number));
  content.resize(std::max(content.size(), number + call.bytes.size()));
  const auto count = static_cast<size_t>(share * static_cast<double>(call.bytes.size()));
  content.replace(number, count, call.bytes, 0, count);
  std::fill(content.begin() + static_cast<std::ptrdiff_t>(number + count),
            content.begin() + static_cast<std::ptrdiff_t>(number + call.bytes.size()), '\0');
}

// Which of so many waiting changes are found: all subsets of a few; of many, each beginning, and
// each with one change missing, and each change alone.
std::vector<std::vector<bool>> subsets(size_t count) {
  constexpr size_t kFew = 4;
  std::vector<std::vector<bool>> all;
  if (count <= kFew) {
    for (size_t bits = 0; bits < (size_t{1} << count); ++bits) {
      std::vector<bool> kept(count);
      for (size_t i = 0; i < count; ++i) kept[i] = (bits >> i & 1) != 0;
      all.push_back(std::move(kept));
    }
    return all;
  }
  for (size_t length = 0; length <= count; ++length) {
    std::vector<bool> kept(count);
    std::fill_n(kept.begin(), length, true);
    all.push_back(kept);
  }
  for (size_t one = 0; one < count; ++one) {
    std::vector<bool> missing(count, true);
    missing[one] = false;
    all.push_back(missing);
    missing.flip();
    all.push_back(missing);
  }
  return all;
}

}  // namespace

std::vector<DiskCall> read_journal(const fs::path& journal) {
  std::istringstream stream(read_file(journal));
  std::vector<DiskCall> calls;
  for (std::string name; stream >> name;) calls.push_back(read_call(stream, name));
  return calls;
}

std::string DiskFile::content(Unsynced how) const {
  std::string found = synced;
  if (how == Unsynced::kLost) return found;
  for (size_t i = 0; i < waiting.size(); ++i) {
    const bool is_last = i + 1 == waiting.size();
    const double share = how == Unsynced::kWritten               ? 1
                         : how == Unsynced::kZeros               ? 0
                         : is_last || waiting[i].call != "write" ? 0.5
                                                                 : 1;
    apply_to(found, waiting[i], share);
  }
  return found;
}

void Disk::apply(const DiskCall& call) {
  if (call.call == "mkdir" && call.path == root_) {
    live_[root_] = safe_[root_] = {.is_folder = true};
    return;
  }
  if (call.call == "open") return open(call);
  if (call.call == "sync") return sync(call.descriptor);
  if (call.call == "mkdir")
    return change({parent_of(call.path), call.path, "", false, {.is_folder = true}});
  if (call.call == "remove") return change({parent_of(call.path), call.path, "", true, {}});
  if (call.call == "rename")
    return change({parent_of(call.to), call.to, call.path, false, live_[call.path]});
  if (const auto file = files_.find(call.descriptor); file != files_.end())
    file->second->waiting.push_back(call);
}

void Disk::open(const DiskCall& call) {
  files_.erase(call.descriptor);
  opened_[call.descriptor] = call.path;
  const auto found = live_.find(call.path);
  if ((found != live_.end() && found->second.is_folder) || (call.flags & O_DIRECTORY) != 0) return;
  if (found == live_.end() && (call.flags & O_CREAT) == 0) return;
  if (found == live_.end())
    change({parent_of(call.path), call.path, "", false, {.file = std::make_shared<DiskFile>()}});
  files_[call.descriptor] = live_[call.path].file;
  if ((call.flags & O_TRUNC) != 0)
    files_[call.descriptor]->waiting.push_back({.call = "cut", .number = 0});
}

// Of a file: its bytes. Of a folder: its names.
void Disk::sync(int descriptor) {
  if (const auto file = files_.find(descriptor); file != files_.end()) {
    file->second->synced = file->second->content(Unsynced::kWritten);
    file->second->waiting.clear();
    return;
  }
  const std::string& folder = opened_[descriptor];
  for (const NameChange& change : waiting_)
    if (change.folder == folder) apply_name(safe_, change);
  std::erase_if(waiting_, [&](const NameChange& change) { return change.folder == folder; });
}

void Disk::change(NameChange change) {
  apply_name(live_, change);
  waiting_.push_back(std::move(change));
}

void Disk::apply_name(DiskNames& names, const NameChange& change) {
  if (!change.from.empty()) names.erase(change.from);
  if (change.is_removal)
    names.erase(change.path);
  else
    names[change.path] = change.name;
}

Disk::State Disk::state(const std::vector<bool>& kept, Unsynced how) const {
  DiskNames names = safe_;
  for (size_t i = 0; i < waiting_.size(); ++i)
    if (kept[i]) apply_name(names, waiting_[i]);
  State state;
  for (const auto& [path, name] : names) {
    // What lies in a folder that is not there is not there.
    const std::string parent = parent_of(path);
    if (parent.size() >= root_.size() && parent != root_ && !state.contains(parent)) continue;
    state[path] = name.is_folder ? "/" : name.file->content(how);
  }
  return state;
}

void Disk::for_each_state(const std::function<void(const State&)>& visit) const {
  for (const std::vector<bool>& kept : subsets(waiting_.size()))
    for (const Unsynced how :
         {Unsynced::kLost, Unsynced::kTorn, Unsynced::kZeros, Unsynced::kWritten})
      visit(state(kept, how));
}

}  // namespace hearth
