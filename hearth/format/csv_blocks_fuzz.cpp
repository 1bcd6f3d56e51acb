// Fuzzes CSV in small blocks: the rows are those of the whole text, or both are refused.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "hearth/base/error.h"
#include "hearth/format/csv.h"
#include "hearth/format/csv_blocks.h"
#include "hearth/format/csv_scanner.h"

namespace {

using Rows = std::vector<std::vector<std::string>>;

std::optional<Rows> rows_in_blocks(const std::string& path) {
  const hearth::FileHandle file = hearth::open_to_read(path);
  hearth::CsvBlocks blocks(file, path, 16);
  hearth::CsvBlock block;
  Rows rows;
  try {
    while (blocks.next(block)) {
      hearth::CsvScanner scanner(block.text, "fuzz", ',', block.first_line);
      for (std::vector<hearth::CsvField> fields; scanner.next(fields);) {
        rows.emplace_back();
        for (const hearth::CsvField& field : fields) rows.back().emplace_back(field.text);
      }
    }
  } catch (const hearth::DataError&) {
    return std::nullopt;
  }
  return rows;
}

std::optional<Rows> rows_at_once(std::string_view text) {
  Rows rows;
  try {
    for (const hearth::CsvRow& row : hearth::parse_csv(text, "fuzz")) rows.push_back(row.fields);
  } catch (const hearth::DataError&) {
    return std::nullopt;
  }
  return rows;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const int file = memfd_create("fuzz", 0);
  if (file < 0 || write(file, data, size) != static_cast<ssize_t>(size)) std::abort();
  if (rows_in_blocks("/proc/self/fd/" + std::to_string(file)) !=
      rows_at_once({reinterpret_cast<const char*>(data), size}))
    std::abort();
  close(file);
  return 0;
}
