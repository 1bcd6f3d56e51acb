// Tables from CSV files, parsed by all cores in one pass.
#include "hearth/data/table/csv_table.h"

#include <algorithm>
#include <exception>
#include <set>
#include <thread>
#include <utility>

#include "hearth/base/cores.h"
#include "hearth/base/error.h"
#include "hearth/base/long_work.h"
#include "hearth/base/text.h"
#include "hearth/data/table/table_builder.h"
#include "hearth/format/csv.h"
#include "hearth/format/csv_blocks.h"

namespace hearth {

namespace {

constexpr int kMostCsvThreads = 8;
constexpr uint64_t kGuessBytes = 1 << 20;  // of the first file, from which kinds are guessed

std::string csv_name(const OpenedFile& file) { return file.path.string(); }

// The rows that come first, all of them when there are few.
std::string first_rows(const OpenedFile& file) {
  CsvBlock block;
  if (!CsvBlocks(file.file, file.path, kGuessBytes).next(block))
    throw DataError(csv_name(file) + " is empty.");
  const std::string_view start = std::string_view(block.text).substr(0, 2);
  if (start == "\xff\xfe" || start == "\xfe\xff")
    throw DataError(csv_name(file) + " is text in UTF-16; save it as CSV in UTF-8.");
  return std::move(block.text);
}

bool looks_like_header(const std::vector<CsvField>& row, const MissingTexts& missing) {
  bool has_name = false;
  for (const CsvField& field : row) {
    const std::string_view text = trim(field.text);
    if (read_table_number(text) || parse_date(text)) return false;
    has_name = has_name || !missing.has(text);
  }
  return has_name;
}

// What one file looks like at its start.
struct CsvStart {
  char separator = ',';
  bool has_header = false;
  std::vector<std::string> names;
};

std::vector<std::string> csv_names_of(const std::vector<CsvField>& row, bool is_header,
                                      const std::string& what) {
  std::vector<std::string> names;
  for (size_t i = 0; i < row.size(); ++i) {
    const std::string_view text = trim(row[i].text);
    const bool has_name = is_header && !text.empty();
    names.push_back(has_name ? std::string(text) : "column_" + std::to_string(i + 1));
  }
  std::set<std::string> different;
  for (const std::string& name : names)
    if (!different.insert(name).second)
      throw DataError(what + ":1: two columns are called " + quote(name) +
                      ". Give each a name of its own.");
  return names;
}

CsvStart csv_start_of(const OpenedFile& file, const CsvForm& form, const MissingTexts& missing,
                      std::string& text) {
  text = first_rows(file);
  CsvStart start;
  start.separator = form.separator != '\0' ? form.separator : csv_separator_of(text);
  std::string copy = text;  // which scanning changes
  CsvScanner scanner(copy, csv_name(file), start.separator);
  std::vector<CsvField> row;
  if (!scanner.next(row)) throw DataError(csv_name(file) + " is empty.");
  start.has_header = form.header == CsvHeader::kYes ||
                     (form.header == CsvHeader::kAuto && looks_like_header(row, missing));
  start.names = csv_names_of(row, start.has_header, csv_name(file));
  return start;
}

void guess_kinds(std::string& text, const CsvStart& start, const MissingTexts& missing,
                 std::vector<TableColumn>& columns, const std::string& what) {
  KindGuess guess(columns, missing);
  CsvScanner scanner(text, what, start.separator);
  std::vector<CsvField> row;
  if (start.has_header) (void)scanner.next(row);
  while (scanner.next(row)) guess.add(row);
  guess.apply(columns, what);
}

// All files through one builder. Of several errors the one that comes first in the files is told.
class CsvPass {
 public:
  CsvPass(std::span<const OpenedFile> files, const std::vector<CsvStart>& starts,
          TableBuilder& builder)
      : files_(files), starts_(starts), builder_(builder) {}

  void run() {
    for (size_t file = 0; file < files_.size(); ++file) {
      read_file(file);
      if (error_) std::rethrow_exception(error_);
    }
  }

 private:
  void read_file(size_t file) {
    CsvBlocks blocks(files_[file].file, files_[file].path);
    const int threads = std::clamp(available_cores(), 1, kMostCsvThreads);
    {
      std::vector<std::jthread> others;
      for (int i = 1; i < threads; ++i) others.emplace_back([&] { work(file, blocks); });
      work(file, blocks);
    }
    first_block_ = next_block_;
  }

  void work(size_t file, CsvBlocks& blocks) {
    CsvBlock block;
    LongWork told("reading " + files_[file].path.filename().string());
    try {
      TableBuilder::Part part(builder_);
      while (!has_failed_.load(std::memory_order_relaxed) && blocks.next(block)) {
        told.tell(block.end, files_[file].stamp.bytes);
        add_block(file, block, part);
      }
    } catch (...) {
      has_failed_.store(true, std::memory_order_relaxed);
      const std::lock_guard lock(mutex_);
      if (error_ && error_block_ <= block.number) return;
      error_ = std::current_exception();
      error_block_ = block.number;
    }
  }

  void add_block(size_t file, CsvBlock& block, TableBuilder::Part& part) {
    const CsvStart& start = starts_[file];
    const std::string what = csv_name(files_[file]);
    {
      const std::lock_guard lock(mutex_);
      next_block_ = std::max(next_block_, first_block_ + block.number + 1);
    }
    part.begin(
        {.number = first_block_ + block.number, .file = file, .first_line = block.first_line},
        what);
    CsvScanner scanner(block.text, what, start.separator, block.first_line);
    std::vector<CsvField> row;
    if (block.number == 0 && start.has_header) (void)scanner.next(row);
    while (scanner.next(row)) part.add(row, scanner.line());
    part.end();
  }

  std::span<const OpenedFile> files_;
  const std::vector<CsvStart>& starts_;
  TableBuilder& builder_;
  int64_t first_block_ = 0;  // of the file, among those of all files
  int64_t next_block_ = 0;
  std::mutex mutex_;
  std::atomic<bool> has_failed_ = false;
  std::exception_ptr error_;
  int64_t error_block_ = 0;
};

// Kinds and vocabularies of another table, for the columns that both have.
void take_kinds(const std::vector<TableColumn>& like, std::vector<TableColumn>& columns) {
  for (TableColumn& column : columns)
    for (const TableColumn& known : like) {
      if (known.name != column.name || column.is_given) continue;
      const bool is_target = column.is_target;
      column = known;
      column.is_given = true;
      column.is_target = is_target;
    }
}

}  // namespace

ColumnTable load_csv_table(std::span<const OpenedFile> files, const CsvForm& form,
                           const TableOptions& options, const std::vector<TableColumn>& like) {
  const MissingTexts missing(options.missing);
  std::vector<CsvStart> starts;
  std::string first;
  for (const OpenedFile& file : files) {
    std::string text;
    starts.push_back(csv_start_of(file, form, missing, text));
    if (starts.size() == 1) first = std::move(text);
    if (starts.back().names != starts.front().names)
      throw DataError(csv_name(file) + ":1: has other columns than " + csv_name(files[0]) +
                      ". All files of one source must have the same, in one order.");
  }
  std::vector<TableColumn> columns = table_columns(starts[0].names, options, csv_name(files[0]));
  take_kinds(like, columns);
  guess_kinds(first, starts[0], missing, columns, csv_name(files[0]));
  while (true) {
    TableBuilder builder(columns, options);
    CsvPass(files, starts, builder).run();
    for (const OpenedFile& file : files) file.check_unchanged();
    if (auto table = builder.finish()) return std::move(*table);
    columns = builder.columns();
  }
}

}  // namespace hearth
