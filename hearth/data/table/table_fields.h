// Options of every source of rows of a table, fields of the same names.
#pragma once

#include "hearth/config/schema.h"
#include "hearth/data/table/table_builder.h"

namespace hearth {

// What columns are.
template <class O>
void add_column_fields(Schema<O>& schema) {
  schema
      .field(&O::target, "target",
             "The column to predict, which becomes `label`: a class when it holds text or is a "
             "category, else a number. Of several, each becomes a key of its name.")
      .field(&O::columns, "columns",
             "What columns are, where their values do not show it: `number`, `category`, "
             "`date` (days since 1970), `date_parts` (year, month, day, weekday from Monday 0, "
             "hour), `text` or `skip`; or the values of a category: [small, large].");
}

// How far it goes.
template <class O>
void add_table_limits(Schema<O>& schema) {
  schema
      .field(&O::unknown, "unknown",
             "A category that is not among the known values: `error` stops, `missing` takes it for "
             "a missing one.",
             one_of({"error", "missing"}))
      .field(&O::megabytes, "megabytes",
             "The most memory that the rows may take. Those beyond lie in a file of the cache "
             "folder, which is gone when the program ends.",
             at_least(1), at_most(1 << 20));
}

template <class O>
[[nodiscard]] TableOptions table_options(const O& options) {
  TableOptions table{.targets = options.target,
                     .columns = options.columns,
                     .missing = {},
                     .accepts_unknown = options.unknown == "missing",
                     .most_bytes = static_cast<uint64_t>(options.megabytes) << 20U};
  if constexpr (requires { options.missing; }) table.missing = options.missing;
  return table;
}

}  // namespace hearth
