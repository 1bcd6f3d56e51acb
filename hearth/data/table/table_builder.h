// Rows of texts made into a table by several threads; what comes out does not depend on them.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "hearth/data/table/column_table.h"
#include "hearth/data/text_hash.h"
#include "hearth/format/csv_scanner.h"

namespace hearth {

using TextNumbers = std::unordered_map<std::string, int32_t, TextHash, std::equal_to<>>;

// Whether a text stands for nothing.
class MissingTexts {
 public:
  explicit MissingTexts(const std::vector<std::string>& texts);
  [[nodiscard]] bool has(std::string_view text) const {
    return text.empty() || (text.size() <= longest_ && texts_.contains(text));
  }
  // Whether some of them are numbers, such as -999.
  [[nodiscard]] bool has_numbers() const { return has_numbers_; }

 private:
  std::set<std::string, std::less<>> texts_;
  bool has_numbers_ = false;
  size_t longest_ = 0;
};

// Kinds of the columns that the config says nothing of, from some of the rows.
class KindGuess {
 public:
  KindGuess(const std::vector<TableColumn>& columns, const MissingTexts& missing);
  void add(std::span<const CsvField> row);
  // Tells of columns in which few texts spoil what most are; `what` is the table, for that note.
  void apply(std::vector<TableColumn>& columns, const std::string& what) const;

 private:
  // How many texts are of a kind, and the first that is not.
  struct Fitting {
    int64_t count = 0;
    std::string misfit = {};
    void add(std::string_view text, bool fits);
  };
  struct Seen {
    int64_t values = 0;
    Fitting numbers = {};
    Fitting dates = {};
  };
  const MissingTexts& missing_;
  std::vector<Seen> seen_;
};

class TableBuilder {
 public:
  TableBuilder(std::vector<TableColumn> columns, const TableOptions& options);

  // One for each thread.
  class Part {
   public:
    explicit Part(TableBuilder& builder);
    void begin(TableBlock block, std::string what);  // `what` is the file, for messages
    void add(std::span<const CsvField> row, int64_t line);
    void end();  // hands the block over

   private:
    void add_number(const TableColumn& column, std::string_view text, float* into);
    [[nodiscard]] int32_t category(size_t column, std::string_view text);
    void note_misfit(size_t column, std::string_view text);
    [[noreturn]] void fail(const std::string& reason) const;

    TableBuilder& builder_;
    TableBlock block_;
    std::string what_;
    std::vector<TextNumbers> known_;  // by column
    const CsvField* field_ = nullptr;
    int64_t line_ = 0;
  };

  // The table; nothing when kinds that were guessed did not fit: `columns` has better ones then.
  [[nodiscard]] std::optional<ColumnTable> finish();
  [[nodiscard]] const std::vector<TableColumn>& columns() const { return columns_; }

 private:
  // The number of a text that is met for the first time by one thread. Those of a vocabulary that
  // is only being found are put in order at the end.
  [[nodiscard]] std::optional<int32_t> number_of(size_t column, std::string_view text);
  void number_categories();
  // For what is beyond the memory that `what`'s table may take.
  [[nodiscard]] OverflowFile& overflow(const std::string& what);

  std::vector<TableColumn> columns_;
  const TableOptions& options_;
  TableLayout layout_;
  MissingTexts missing_;
  std::mutex mutex_;
  std::vector<TextNumbers> found_;  // by column
  std::vector<TableBlock> blocks_;
  std::shared_ptr<OverflowFile> overflow_;
  std::string note_;                      // to tell of it, by the thread that people listen to
  std::map<size_t, ColumnKind> misfits_;  // columns, and what they are instead
  std::atomic<uint64_t> bytes_ = 0;
};

}  // namespace hearth
