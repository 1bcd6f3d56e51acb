// The engine library, libhearth_engine.so: loaded only when a command needs tensors.
#pragma once

#include <optional>
#include <string>

namespace hearth::cli {

// Sets the thread counts, loads the engine, and calls its function `hearth_command_<command>` with
// `arguments`, one of the structs in arguments.h. Errors pass through as they are.
[[nodiscard]] int run_in_engine(const std::string& command, const void* arguments,
                                std::optional<int> threads = std::nullopt);

// The same for what needs the net, in libhearth_net.so, and nothing of LibTorch.
int run_in_net(const std::string& command, const void* arguments);

}  // namespace hearth::cli
