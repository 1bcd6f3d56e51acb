// Mends a run log: whole lines stay, known ones come back, the rest is named.
#include "hearth/core/log_repair.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "hearth/base/error.h"
#include "hearth/core/spec.h"

namespace hearth {
namespace {

constexpr uint64_t kRepairLimitBytes = 4ULL << 30;
constexpr uint64_t kRepairBlock = 1 << 16;

uint64_t bytes_of_file(const fs::path& path) {
  return is_there(path) ? file_size(open_to_read(path), path) : 0;
}

// Whether `bytes` of the file are whole lines. What a log has there is not looked at further.
bool ends_a_line(const fs::path& path, uint64_t bytes) {
  if (bytes == 0) return true;
  std::byte last{};
  read_at(open_to_read(path), bytes - 1, {&last, 1}, path);
  return last == std::byte{'\n'};
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t begin = 0, end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
    lines.push_back(text.substr(begin, end - begin + 1));
  return lines;
}

// The step of an event, or -1 for a line that is none.
int64_t step_of(const std::string& line) {
  const Json event = Json::parse(line, nullptr, false);
  if (!event.is_object() || !event.contains("step")) return -1;
  const Json& step = event.at("step");
  return step.is_number_integer() ? step.get<int64_t>() : -1;
}

std::string missing_text(const fs::path& path, int64_t last_step, int64_t step,
                         size_t known_again) {
  std::string text = "the log " + path.string() + " is shorter than its checkpoint says: ";
  if (last_step < step)
    text += "events of the steps " + std::to_string(last_step + 1) + " to " + std::to_string(step) +
            " are missing.";
  else
    text += "its last events are missing.";
  if (known_again > 0)
    text += " Those of epochs, which the checkpoint knew, are back in the log: " +
            std::to_string(known_again) + " of them.";
  return text;
}

}  // namespace

uint64_t whole_lines_bytes(const fs::path& path) {
  const uint64_t bytes = bytes_of_file(path);
  if (bytes == 0) return 0;
  const FileHandle file = open_to_read(path);
  for (uint64_t end = bytes; end > 0;) {
    const uint64_t begin = end - std::min(end, kRepairBlock);
    std::string block(static_cast<size_t>(end - begin), '\0');
    read_at(file, begin, std::as_writable_bytes(std::span(block)), path);
    if (const size_t found = block.rfind('\n'); found != std::string::npos)
      return begin + found + 1;
    end = begin;
  }
  return 0;
}

MendedLog mend_log(const fs::path& path, uint64_t bytes, const std::string& known_lines,
                   int64_t step) {
  const uint64_t there = bytes_of_file(path);
  if (there >= bytes && ends_a_line(path, bytes)) return {bytes, ""};
  std::string kept;
  std::set<std::string> kept_lines;
  int64_t last_step = 0;
  const std::string text = there > 0 ? read_file(path, kRepairLimitBytes) : "";
  for (const std::string& line : lines_of(text.substr(0, std::min(there, bytes)))) {
    const int64_t found = step_of(line);
    if (found < 0) break;  // zeros of a lost block, or something else that is no event
    last_step = found;
    kept += line;
    kept_lines.insert(line);
  }
  size_t known_again = 0;
  for (const std::string& line : lines_of(known_lines)) {
    if (kept_lines.contains(line)) continue;
    kept += line;
    ++known_again;
  }
  write_file_durably(path, kept);
  return {kept.size(), missing_text(path, last_step, step, known_again)};
}

}  // namespace hearth
