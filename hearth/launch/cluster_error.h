// Another rank is the reason why this one ends.
#pragma once

#include "hearth/base/error.h"

namespace hearth {

class ClusterError : public Error {
 public:
  using Error::Error;
  [[nodiscard]] int exit_code() const noexcept override { return 5; }
};

}  // namespace hearth
