// One file from the net, through libcurl.
#include "cli/net/download.h"

#include <curl/curl.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/text.h"

namespace hearth::cli {
namespace {

constexpr int kTries = 4;
constexpr uint64_t kMostFileBytes = 64ULL << 30;
constexpr long kSilentSeconds = 60;  // of a connection that gives nothing any more

struct CurlDelete {
  void operator()(CURL* curl) const { curl_easy_cleanup(curl); }
};
using Curl = std::unique_ptr<CURL, CurlDelete>;

// What is under way: where bytes go, and how many there are.
struct Transfer {
  FileHandle file;
  uint64_t before = 0;   // of earlier tries
  uint64_t arrived = 0;  // in this one
  int write_error = 0;
  const DownloadProgress* progress = nullptr;
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
};

size_t take_bytes(char* bytes, size_t size, size_t count, void* given) {
  auto& transfer = *static_cast<Transfer*>(given);
  const size_t all = size * count;
  if (transfer.before + transfer.arrived + all > kMostFileBytes) return 0;
  for (size_t done = 0; done < all;) {
    const ssize_t written = ::write(transfer.file.descriptor(), bytes + done, all - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      transfer.write_error = errno;
      return 0;
    }
    done += static_cast<size_t>(written);
  }
  transfer.arrived += all;
  return all;
}

int tell_progress(void* given, curl_off_t all, curl_off_t, curl_off_t, curl_off_t) {
  const auto& transfer = *static_cast<Transfer*>(given);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - transfer.start;
  const double rate =
      seconds.count() > 0 ? static_cast<double>(transfer.arrived) / seconds.count() : 0;
  if (*transfer.progress)
    (*transfer.progress)(transfer.before + transfer.arrived,
                         all > 0 ? transfer.before + static_cast<uint64_t>(all) : 0, rate);
  return 0;
}

bool is_loopback(const std::string& url) {
  for (const char* host : {"http://127.0.0.1", "http://localhost", "http://[::1]"}) {
    const std::string start = host;
    if (url.starts_with(start) &&
        (url.size() == start.size() || url[start.size()] == ':' || url[start.size()] == '/'))
      return true;
  }
  return false;
}

void set_up(CURL* curl, const std::string& url, Transfer& transfer) {
  curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, is_loopback(url) ? "http,https" : "https");
  curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR, "https");
  curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L);
  curl_easy_setopt(curl, CURLOPT_MAXREDIRS, 5L);
  curl_easy_setopt(curl, CURLOPT_FAILONERROR, 1L);
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, 30L);
  curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
  curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, kSilentSeconds);
  curl_easy_setopt(curl, CURLOPT_USERAGENT, "hearth");
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_bytes);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &transfer);
  curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, tell_progress);
  curl_easy_setopt(curl, CURLOPT_XFERINFODATA, &transfer);
  curl_easy_setopt(curl, CURLOPT_RESUME_FROM_LARGE, static_cast<curl_off_t>(transfer.before));
}

FileHandle open_part(const fs::path& part, bool is_fresh) {
  FileHandle file(::open(
      part.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (is_fresh ? O_TRUNC : 0), 0644));
  if (!file.is_open())
    throw DataError("Cannot write " + quote(part.string()) + ": " + std::strerror(errno) + ".");
  return file;
}

// Whether a further try may do better.
bool may_pass(CURLcode code) {
  return code == CURLE_PARTIAL_FILE || code == CURLE_RECV_ERROR || code == CURLE_GOT_NOTHING ||
         code == CURLE_OPERATION_TIMEDOUT || code == CURLE_SEND_ERROR;
}

// The server has no part of it from there on: what there is may be whole, or of another file.
bool refuses_range(CURL* curl, CURLcode code) {
  long status = 0;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  return code == CURLE_RANGE_ERROR || status == 416;
}

[[noreturn]] void throw_failure(const RemoteFile& file, const fs::path& target, CURL* curl,
                                CURLcode code) {
  long status = 0;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  const std::string why =
      status >= 400 ? "the server answered " + std::to_string(status) : curl_easy_strerror(code);
  throw DataError("Cannot get " + file.url + ": " + why +
                  ".\n  Try again later, it goes on where it stopped; name a mirror, --mirror "
                  "https://...; or put the file there yourself: " +
                  target.string());
}

// Once from the net into `part`, after what is there already.
CURLcode fetch(CURL* curl, const RemoteFile& file, const fs::path& part, bool is_fresh,
               const DownloadProgress& progress) {
  Transfer transfer{.file = open_part(part, is_fresh)};
  transfer.before = is_fresh ? 0 : file_size(open_to_read(part), part);
  transfer.progress = &progress;
  set_up(curl, file.url, transfer);
  const CURLcode code = curl_easy_perform(curl);
  if (transfer.write_error != 0)
    throw DataError("Cannot write " + quote(part.string()) + ": " +
                    std::strerror(transfer.write_error) + ".");
  if (code == CURLE_WRITE_ERROR)
    throw DataError(file.url + ": sends more than " + human_bytes(kMostFileBytes) + ".");
  if (code == CURLE_OK && ::fsync(transfer.file.descriptor()) != 0)
    throw DataError("Cannot write " + quote(part.string()) + ": " + std::strerror(errno) + ".");
  return code;
}

void fetch_all(const RemoteFile& file, const fs::path& target, const fs::path& part,
               const DownloadProgress& progress) {
  bool is_fresh = !is_there(part);
  for (int attempt = 1;; ++attempt) {
    const Curl curl(curl_easy_init());
    if (!curl) throw Error("libcurl cannot be set up.");
    const CURLcode code = fetch(curl.get(), file, part, is_fresh, progress);
    if (code == CURLE_OK) return;
    if (!is_fresh && refuses_range(curl.get(), code)) {
      if (checksum_of(part, file.checksum) == file.checksum) return;
      is_fresh = true;
      continue;
    }
    if (!may_pass(code) || attempt == kTries) throw_failure(file, target, curl.get(), code);
    is_fresh = false;
    std::this_thread::sleep_for(std::chrono::milliseconds(250 * attempt));
  }
}

}  // namespace

void check_address(const std::string& url) {
  if (url.starts_with("https://") || is_loopback(url)) return;
  throw ConfigError(quote(url) + " must begin with https://; only on this machine itself, as " +
                    "http://127.0.0.1, may it be http.");
}

std::string checksum_of(const fs::path& path, const std::string& like) {
  const std::string algorithm = like.substr(0, like.find(':'));
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                        EVP_MD_CTX_free);
  const EVP_MD* kind = algorithm == "md5" ? EVP_md5() : EVP_sha256();
  if (!context || EVP_DigestInit_ex(context.get(), kind, nullptr) != 1)
    throw Error("libcrypto has no " + algorithm + " here.");
  const FileHandle file = open_to_read(path);
  std::vector<std::byte> block(1 << 20);
  const uint64_t bytes = file_size(file, path);
  for (uint64_t offset = 0; offset < bytes; offset += block.size()) {
    const auto part = std::span(block).first(std::min<uint64_t>(block.size(), bytes - offset));
    read_at(file, offset, part, path);
    EVP_DigestUpdate(context.get(), part.data(), part.size());
  }
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int length = 0;
  EVP_DigestFinal_ex(context.get(), digest, &length);
  std::string text = algorithm + ":";
  for (unsigned int i = 0; i < length; ++i) {
    constexpr const char* kDigits = "0123456789abcdef";
    text += kDigits[digest[i] / 16];
    text += kDigits[digest[i] % 16];
  }
  return text;
}

void download(const RemoteFile& file, const fs::path& target, const DownloadProgress& progress) {
  check_address(file.url);
  if (is_there(target) && checksum_of(target, file.checksum) == file.checksum) return;
  make_folder(target.parent_path());
  const fs::path part = target.string() + ".part";
  fetch_all(file, target, part, progress);
  const std::string found = checksum_of(part, file.checksum);
  if (found != file.checksum) {
    fs::remove(part);
    throw DataError(file.url + ": came with other bytes than it should: expected " + file.checksum +
                    ", got " + found +
                    ". Nothing was kept.\n  Try again, or another address with --mirror.");
  }
  fs::rename(part, target);
  sync_folder(target.parent_path());
}

}  // namespace hearth::cli
