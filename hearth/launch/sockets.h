// Whether a host can be reached, and by which of our addresses.
#pragma once

#include <cstdint>
#include <string>

namespace hearth {

// Whether somebody listens there now.
[[nodiscard]] bool is_listening(const std::string& host, uint16_t port);
// Lets nobody but this host reach what this process has listening at the port, on whatever
// addresses. False when nothing listens there, or the system does not allow it.
[[nodiscard]] bool keep_to_loopback(uint16_t port);
// A port that is free on this host at this moment.
[[nodiscard]] uint16_t free_port();
// The address of this host that packets to `host` leave from; empty when it has no address.
[[nodiscard]] std::string address_towards(const std::string& host);
// Whether `host` is this host's address for itself, which no other host can reach.
[[nodiscard]] bool is_loopback(const std::string& host);
[[nodiscard]] std::string host_name();

}  // namespace hearth
