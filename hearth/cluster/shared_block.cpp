// Memory that processes of one host share.
#include "hearth/cluster/shared_block.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <random>
#include <sstream>

namespace hearth {
namespace {

constexpr size_t kMarkLength = 16;

std::string random_mark() {
  std::random_device random;
  std::string mark;
  while (mark.size() < kMarkLength) mark += static_cast<char>('a' + random() % 26);
  return mark;
}

// A lock of an open file rather than of a process: ranks may be threads of one.
struct flock lock_of(int place) {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = place;
  lock.l_len = 1;
  return lock;
}

}  // namespace

std::unique_ptr<SharedBlock> SharedBlock::make(size_t bytes) {
  const int file = ::memfd_create("hearth-ranks", MFD_CLOEXEC);
  if (file < 0) return nullptr;
  std::unique_ptr<SharedBlock> block(new SharedBlock(file, bytes));
  if (::ftruncate(file, static_cast<off_t>(bytes)) != 0 || !block->map()) return nullptr;
  block->mark_ = random_mark();
  std::memcpy(block->bytes_, block->mark_.data(), kMarkLength);
  return block;
}

std::unique_ptr<SharedBlock> SharedBlock::open(const std::string& address) {
  std::istringstream words(address);
  std::string path;
  std::string mark;
  size_t bytes = 0;
  if (!(words >> path >> bytes >> mark) || mark.size() != kMarkLength || bytes < kMarkLength)
    return nullptr;
  const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file < 0) return nullptr;
  std::unique_ptr<SharedBlock> block(new SharedBlock(file, bytes));
  struct stat facts {};
  if (::fstat(file, &facts) != 0 || !S_ISREG(facts.st_mode) ||
      facts.st_size != static_cast<off_t>(bytes) || !block->map() ||
      std::memcmp(block->bytes_, mark.data(), kMarkLength) != 0)
    return nullptr;
  block->mark_ = mark;
  return block;
}

SharedBlock::~SharedBlock() {
  if (bytes_ != nullptr) ::munmap(bytes_, size_);
  ::close(file_);
}

bool SharedBlock::map() {
  void* start = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
  if (start != MAP_FAILED) bytes_ = static_cast<std::byte*>(start);
  return start != MAP_FAILED;
}

std::string SharedBlock::address() const {
  return "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(file_) + " " +
         std::to_string(size_) + " " + mark_;
}

bool SharedBlock::take_place(int place) const {
  struct flock lock = lock_of(place);
  return ::fcntl(file_, F_OFD_SETLK, &lock) == 0;
}

// Our own lock is none to ourselves.
bool SharedBlock::is_taken(int place) const {
  struct flock lock = lock_of(place);
  return ::fcntl(file_, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

}  // namespace hearth
