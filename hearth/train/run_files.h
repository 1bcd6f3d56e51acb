// Files that a run's traces write into its folder, off the hot path.
#pragma once

#include <condition_variable>
#include <deque>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "hearth/base/files.h"

namespace hearth {

// One thread writes them in order, each whole or not at all; it begins with the first.
class RunFiles {
 public:
  explicit RunFiles(fs::path folder) : folder_(std::move(folder)) {}
  ~RunFiles();  // when all are written
  RunFiles(const RunFiles&) = delete;
  RunFiles& operator=(const RunFiles&) = delete;

  // `content` is asked for in the background. A file of this name is replaced. Waits when many
  // files wait already.
  void write(const fs::path& name, std::function<std::string()> content);
  // The same by whoever knows how to write such a file, durably, to the path it is given.
  using Writer = std::function<void(const fs::path& path)>;
  void write_with(const fs::path& name, Writer writer);
  // After the first `offset` bytes of the file; what lies behind them is cut off.
  void append(const fs::path& name, uint64_t offset, std::string text);
  // Nothing happens when it is not there.
  void remove(const fs::path& name);
  // Waits until all are on disk. Says why one is not, or nothing.
  std::string flush();
  // Removes drafts that a killed process left.
  static void tidy(const fs::path& folder);

 private:
  struct Waiting {
    fs::path path;
    Writer writer;
  };
  void work();

  fs::path folder_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Waiting> waiting_;  // the first is being written
  std::string failure_;
  bool is_stopping_ = false;
  std::thread writer_;
};

}  // namespace hearth
