// Whether a host can be reached, and by which of our addresses.
#include "hearth/launch/sockets.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>

#include "hearth/base/error.h"

namespace hearth {
namespace {

constexpr int kConnectMilliseconds = 2000;
constexpr char kLoopbackDevice[] = "lo";

class Socket {
 public:
  Socket(int family, int type) : file_(::socket(family, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {}
  ~Socket() {
    if (file_ >= 0) ::close(file_);
  }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  [[nodiscard]] int file() const { return file_; }

 private:
  int file_;
};

using Addresses = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

Addresses addresses_of(const std::string& host, const std::string& port, int type) {
  addrinfo hints{};
  hints.ai_socktype = type;
  addrinfo* found = nullptr;
  if (getaddrinfo(host.c_str(), port.c_str(), &hints, &found) != 0) found = nullptr;
  return {found, &freeaddrinfo};
}

bool connects(const addrinfo& address) {
  const Socket socket(address.ai_family, SOCK_STREAM);
  if (socket.file() < 0) return false;
  if (::connect(socket.file(), address.ai_addr, address.ai_addrlen) == 0) return true;
  pollfd ready{socket.file(), POLLOUT, 0};
  if (::poll(&ready, 1, kConnectMilliseconds) != 1) return false;
  int fault = 0;
  socklen_t size = sizeof fault;
  return getsockopt(socket.file(), SOL_SOCKET, SO_ERROR, &fault, &size) == 0 && fault == 0;
}

std::string text_of(const sockaddr_storage& address, socklen_t size) {
  char text[NI_MAXHOST] = {};
  const auto* general = reinterpret_cast<const sockaddr*>(&address);
  if (getnameinfo(general, size, text, sizeof text, nullptr, 0, NI_NUMERICHOST) != 0) return "";
  return text;
}

uint16_t port_of(const sockaddr_storage& address) {
  if (address.ss_family == AF_INET)
    return ntohs(reinterpret_cast<const sockaddr_in&>(address).sin_port);
  if (address.ss_family == AF_INET6)
    return ntohs(reinterpret_cast<const sockaddr_in6&>(address).sin6_port);
  return 0;
}

bool listens_at(int file, uint16_t port) {
  int is_listener = 0;
  socklen_t size = sizeof is_listener;
  if (getsockopt(file, SOL_SOCKET, SO_ACCEPTCONN, &is_listener, &size) != 0 || is_listener == 0)
    return false;
  sockaddr_storage own{};
  size = sizeof own;
  return getsockname(file, reinterpret_cast<sockaddr*>(&own), &size) == 0 && port_of(own) == port;
}

bool is_loopback(const sockaddr& address) {
  if (address.sa_family == AF_INET) {
    const auto& four = reinterpret_cast<const sockaddr_in&>(address);
    return (ntohl(four.sin_addr.s_addr) >> 24) == 127;
  }
  if (address.sa_family != AF_INET6) return false;
  const auto& six = reinterpret_cast<const sockaddr_in6&>(address);
  return IN6_IS_ADDR_LOOPBACK(&six.sin6_addr) != 0;
}

}  // namespace

bool is_listening(const std::string& host, uint16_t port) {
  const Addresses all = addresses_of(host, std::to_string(port), SOCK_STREAM);
  for (const addrinfo* one = all.get(); one != nullptr; one = one->ai_next)
    if (connects(*one)) return true;
  return false;
}

bool keep_to_loopback(uint16_t port) {
  bool is_kept = false;
  std::error_code fault;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", fault)) {
    const int file = std::atoi(entry.path().filename().c_str());
    if (!listens_at(file, port)) continue;
    if (setsockopt(file, SOL_SOCKET, SO_BINDTODEVICE, kLoopbackDevice, sizeof kLoopbackDevice) != 0)
      return false;
    is_kept = true;
  }
  return is_kept;
}

uint16_t free_port() {
  const Socket socket(AF_INET, SOCK_STREAM);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_ANY);
  socklen_t size = sizeof address;
  auto* general = reinterpret_cast<sockaddr*>(&address);
  if (socket.file() < 0 || ::bind(socket.file(), general, size) != 0 ||
      getsockname(socket.file(), general, &size) != 0)
    throw DataError("No port is free on this host.");
  return ntohs(address.sin_port);
}

std::string address_towards(const std::string& host) {
  const Addresses all = addresses_of(host, "9", SOCK_DGRAM);
  for (const addrinfo* one = all.get(); one != nullptr; one = one->ai_next) {
    const Socket socket(one->ai_family, SOCK_DGRAM);  // connecting it sends nothing
    if (socket.file() < 0 || ::connect(socket.file(), one->ai_addr, one->ai_addrlen) != 0) continue;
    sockaddr_storage own{};
    socklen_t size = sizeof own;
    if (getsockname(socket.file(), reinterpret_cast<sockaddr*>(&own), &size) == 0)
      return text_of(own, size);
  }
  return "";
}

bool is_loopback(const std::string& host) {
  const Addresses all = addresses_of(host, "9", SOCK_STREAM);
  for (const addrinfo* one = all.get(); one != nullptr; one = one->ai_next)
    if (!is_loopback(*one->ai_addr)) return false;
  return all != nullptr;
}

std::string host_name() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "this host";
}

}  // namespace hearth
