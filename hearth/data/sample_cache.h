// What the ops that draw nothing made of each sample, kept from its first time on.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "hearth/data/cache_storage.h"
#include "hearth/data/value.h"

namespace hearth {

class Source;

enum class CacheKind : uint8_t { kNone, kMemory, kDisk };

struct SampleCacheOptions {
  CacheKind kind = CacheKind::kMemory;
  int64_t samples = 0;
  std::vector<Spec> specs = {};  // of a record's values, in their order
  int64_t most_bytes = 0;        // samples beyond are made anew each time
  std::string identity = {};     // of the ops and their options
  std::filesystem::path folder = {};
  std::shared_ptr<const Source> source = {};  // whose fingerprint a file's name comes from
};

// Asked and filled by many threads; nobody waits for another.
class SampleCache {
 public:
  explicit SampleCache(SampleCacheOptions options);
  SampleCache(const SampleCache&) = delete;
  SampleCache& operator=(const SampleCache&) = delete;
  // A file that is not complete is left so that the next process can go on with it.
  ~SampleCache();

  // Makes room, or looks for what an earlier process left; the first call counts.
  void open();
  // Copies a sample's values into the cells; false when it is not there.
  [[nodiscard]] bool get(int64_t sample, std::span<const Cell> cells);
  void put(int64_t sample, std::span<const Cell> cells);

  [[nodiscard]] const std::string& identity() const { return options_.identity; }
  [[nodiscard]] int64_t stored_samples() const { return stored_.load(); }
  // Of one sample's record; 0 when that differs from sample to sample.
  [[nodiscard]] int64_t record_bytes() const { return record_bytes_; }
  // Bytes of a record of such values; 0 when some size differs from sample to sample.
  [[nodiscard]] static int64_t record_bytes(std::span<const Spec> specs);
  // What the tables of so many samples take beside the records.
  [[nodiscard]] static int64_t table_bytes(int64_t samples);

 private:
  enum class State : uint8_t {
    kEmpty,
    kWriting,  // by one thread; it is not there for others
    kFound,    // left by an earlier process; its checksum was not looked at yet
    kThere
  };
  void take_over(CacheIndex index);
  [[nodiscard]] bool verified(size_t sample);
  [[nodiscard]] int64_t new_place(int64_t sample, int64_t bytes);
  [[nodiscard]] std::string file_key() const;
  void keep(bool is_complete);

  SampleCacheOptions options_;
  int64_t record_bytes_;
  std::once_flag is_opened_;
  std::unique_ptr<CacheStorage> storage_;  // null: nothing is cached
  std::vector<std::atomic<State>> states_;
  CacheIndex index_;  // an entry belongs to whoever set its state to kWriting
  std::atomic<int64_t> used_ = 0;
  std::atomic<int64_t> stored_ = 0;
  std::atomic<bool> is_refused_ = false;  // by the disk: no further tries
};

}  // namespace hearth
