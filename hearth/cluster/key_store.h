// LibTorch's store of keys and values that all ranks reach, without its headers.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace c10d {
class Store;
}

namespace hearth {

struct RankPlace;

class KeyStore {
 public:
  struct Handle;  // keeps c10d::Store's reference counts out of here
  explicit KeyStore(std::unique_ptr<Handle> handle);
  ~KeyStore();

  void set(const std::string& key, std::string_view value);
  // Waits for a key that is not there yet; an `Error` after the store's time.
  [[nodiscard]] std::string get(const std::string& key);
  [[nodiscard]] bool has(const std::string& key);
  // How many have counted themselves under the key, this one included.
  [[nodiscard]] int64_t count(const std::string& key);
  [[nodiscard]] Handle& handle() { return *handle_; }

 private:
  std::unique_ptr<Handle> handle_;
};

// Another connection to the same store, with a prefix for the attempt.
using OpenStore = std::function<std::unique_ptr<KeyStore>(std::chrono::milliseconds timeout)>;

// Rank 0 serves it, to this host alone where all ranks are on it. Waits for it to be there until
// the timeout, and says so after a few seconds.
[[nodiscard]] OpenStore open_tcp_store(const RankPlace& place,
                                       std::chrono::milliseconds start_timeout,
                                       const std::function<void(const std::string&)>& say);
// For ranks that are threads of one process.
[[nodiscard]] OpenStore open_hash_store();

}  // namespace hearth
