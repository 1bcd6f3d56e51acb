// How other frameworks' flags ask for a device.
#include "cli/device_words.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "hearth/base/text.h"

namespace hearth::cli {
namespace {

// These say which GPU; the others, such as `gpus` and `devices`, how many.
constexpr std::array<std::string_view, 3> kIndexFlags = {"gpu", "device", "gpu_id"};
constexpr const char* kOneEach =
    ". A run computes on one GPU today; several runs may each have theirs, such as device=cuda:1";

bool says_which(const std::string& flag) {
  return std::find(kIndexFlags.begin(), kIndexFlags.end(), flag) != kIndexFlags.end();
}

}  // namespace

std::string device_words(const std::string& flag, const std::string& value) {
  if (flag == "cpu" || flag.starts_with("no_")) return "cpu";
  if (flag == "cuda" || flag.starts_with("use_")) return "cuda";
  const bool is_list = value.find(',') != value.npos;  // 0,1
  const std::optional<int64_t> number = read_integer(value);
  if (is_list) return std::string("cuda") + kOneEach;
  if (number && says_which(flag)) return "cuda" + (*number < 0 ? "" : ":" + value);
  if (number && *number == 0) return "cpu";
  if (number && (*number > 1 || *number < 0)) return std::string("cuda") + kOneEach;
  const bool is_word = !number && !value.empty() && value != "gpu" && value != "true";
  return is_word ? value : "cuda";
}

}  // namespace hearth::cli
