// What contracts share.
#include "hearth/launch/contract.h"

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {
namespace {

constexpr int kFirstPort = 15000;
constexpr int kPorts = 10000;
constexpr int kLastPort = 65535;

}  // namespace

const std::vector<Contract>& contracts() {
  static const std::vector<Contract> all = {own_launcher(),    torchrun(), kubernetes(),
                                            plain_variables(), open_mpi(), pmi(),
                                            tensorflow(),      slurm()};
  return all;
}

uint16_t port_of(const Environment& environment, const std::string& name, uint16_t otherwise) {
  const int port = environment.number(name, otherwise);
  if (port < 1 || port > kLastPort)
    throw ConfigError("The variable " + environment.shown(name) + " is no port.");
  return static_cast<uint16_t>(port);
}

void set_master(RankPlace& place, const Environment& environment, const std::string& contract,
                uint16_t port) {
  place.port = port_of(environment, "MASTER_PORT", port);
  if (place.local_size == place.size) return;  // loopback, which no other host can reach
  if (!environment.has("MASTER_ADDR"))
    throw ConfigError(contract +
                      " started this run on several hosts, and does not say where they meet.\n  "
                      "Next: set MASTER_ADDR to the host of rank 0.");
  place.host = environment.text("MASTER_ADDR");
}

void set_address(RankPlace& place, const std::string& address, const std::string& what) {
  const size_t colon = address.rfind(':');
  const std::string host = address.substr(0, colon == std::string::npos ? 0 : colon);
  const std::optional<int64_t> port =
      read_integer(colon == std::string::npos ? "" : address.substr(colon + 1));
  if (host.empty() || !port || *port < 1 || *port > kLastPort)
    throw ConfigError(what + ": " + quote(address) +
                      " is no address; it must be HOST:PORT, such as node1:29500.");
  const bool has_brackets = host.size() > 2 && host.front() == '[' && host.back() == ']';
  place.host = has_brackets ? host.substr(1, host.size() - 2) : host;
  place.port = static_cast<uint16_t>(*port);
}

uint16_t port_by(const std::string& text) {
  uint32_t sum = 0;
  for (const char letter : text) sum = sum * 31 + static_cast<unsigned char>(letter);
  return static_cast<uint16_t>(kFirstPort + sum % kPorts);
}

}  // namespace hearth
