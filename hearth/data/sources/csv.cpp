// Rows of CSV files, parsed once when they are opened and kept as numbers.
#include "hearth/data/sources/csv.h"

#include <utility>

#include "hearth/base/error.h"
#include "hearth/config/registry.h"
#include "hearth/data/opened_file.h"
#include "hearth/data/table/csv_table.h"
#include "hearth/data/table/table_fields.h"

namespace hearth::sources {

namespace {

class CsvSource : public Source {
 public:
  using Options = CsvOptions;
  explicit CsvSource(Options options) : options_(std::move(options)) {}

  void open() override {
    for (const std::string& file : options_.file) files_.emplace_back().open(file);
    const TableOptions table = table_options(options_);
    table_ = load_csv_table(files_, form(), table, columns_like(table));
    if (table_.size() == 0) throw DataError(options_.file[0] + ": holds no row.");
    if (table_.keys().empty())
      throw ConfigError("columns: every column is skipped; there is nothing to yield.");
  }

  std::vector<KeySpec> keys() const override { return table_.keys(); }
  int64_t size() const override { return table_.size(); }
  void read(int64_t index, std::span<const Cell> cells) const override {
    table_.read(index, cells);
  }

  uint64_t resident_bytes() const override { return table_.resident_bytes(); }
  std::string fingerprint() const override {
    Sha256 digest;
    for (const OpenedFile& file : files_) file.add_to(digest);
    return "csv:sha256:" + digest.finish_hex();
  }
  std::string describe(int64_t index) const override {
    const ColumnTable::Place place = table_.place(index);
    return files_[place.file].path.filename().string() + ":" + std::to_string(place.line);
  }

 private:
  [[nodiscard]] CsvForm form() const {
    CsvForm form;
    if (options_.separator == "tab")
      form.separator = '\t';
    else if (options_.separator != "auto")
      form.separator = options_.separator[0];
    if (options_.header != "auto")
      form.header = options_.header == "yes" ? CsvHeader::kYes : CsvHeader::kNo;
    return form;
  }

  [[nodiscard]] std::vector<TableColumn> columns_like(const TableOptions& options) const {
    if (options_.like.empty()) return {};
    std::vector<OpenedFile> file(1);
    file[0].open(options_.like);
    return load_csv_table(file, form(), options).columns();
  }

  Options options_;
  std::vector<OpenedFile> files_;
  ColumnTable table_;
};

}  // namespace

const Schema<CsvOptions>& CsvOptions::schema() {
  using O = CsvOptions;
  static const auto schema = [] {
    Schema<O> fields;
    fields.field(&O::file, "file", "The file, or several with the same columns.", is_path(),
                 required(), not_empty());
    add_column_fields(fields);
    fields
        .field(&O::like, "like",
               "Another file, such as that of training, that says the kinds of columns and the "
               "values of categories.",
               is_path())
        .field(&O::header, "header",
               "Whether the first row names the columns; `auto`: it does when it holds no number "
               "and no date. Without names they are column_1, column_2, ...",
               one_of({"auto", "yes", "no"}))
        .field(&O::separator, "separator",
               "What stands between fields; `auto`: a comma, else a semicolon, else a tab, as "
               "the first line has it.",
               one_of({"auto", ",", ";", "tab", "|"}))
        .field(&O::missing, "missing",
               "Texts that stand for nothing, besides an empty field. A missing number is NaN "
               "(see impute), a missing category the class 0, `(missing)`.");
    add_table_limits(fields);
    return fields;
  }();
  return schema;
}

Choice<Source> csv(const CsvOptions& options) { return choose<Source>("csv", options); }

void register_csv(Registry<Source>& registry) {
  registry.add<CsvSource>("csv", "Rows of CSV files: numbers as `features`, categories by column.");
}

}  // namespace hearth::sources
