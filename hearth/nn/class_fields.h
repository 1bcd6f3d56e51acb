// What every architecture that gives scores has among its options: how many.
#pragma once

#include "hearth/config/schema.h"

namespace hearth {

// The fields `classes` and `classes_of` of such options, to add others to.
template <class Options>
[[nodiscard]] Schema<Options> class_fields() {
  return Schema<Options>()
      .field(&Options::classes, "classes", "Scores that come out; from the data when left out.",
             at_least(1))
      .field(&Options::classes_of, "classes_of",
             "The key whose number of classes it is, when the data has several.", not_empty());
}

}  // namespace hearth
