// Memory that processes of one host share, and who of them is still there.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace hearth {

class SharedBlock {
 public:
  // Of zeros. Null where the system gives none.
  [[nodiscard]] static std::unique_ptr<SharedBlock> make(size_t bytes);
  // The one that somebody made who lives; null when it cannot be reached from here.
  [[nodiscard]] static std::unique_ptr<SharedBlock> open(const std::string& address);
  ~SharedBlock();
  SharedBlock(const SharedBlock&) = delete;
  SharedBlock& operator=(const SharedBlock&) = delete;

  // What others open it by. It goes with the last process that has it, and leaves no file.
  [[nodiscard]] std::string address() const;
  [[nodiscard]] std::byte* bytes() const { return bytes_; }
  [[nodiscard]] size_t size() const { return size_; }

  // Everybody takes a place, and has it as long as this object, or its process, lives.
  [[nodiscard]] bool take_place(int place) const;
  [[nodiscard]] bool is_taken(int place) const;

 private:
  SharedBlock(int file, size_t size) : file_(file), size_(size) {}
  [[nodiscard]] bool map();

  int file_;
  size_t size_;
  std::byte* bytes_ = nullptr;
  std::string mark_;  // at its beginning, so that nobody takes another file for it
};

}  // namespace hearth
