// The four kinds of error that cross a part's border. The library throws; only `main` prints.
#pragma once

#include <stdexcept>
#include <string>

namespace hearth {

// A message says where, what is wrong, what was expected, what came, and what to do next.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  // The exit code that `main` gives the shell.
  [[nodiscard]] virtual int exit_code() const noexcept { return 1; }
};

// The user's options are wrong.
class ConfigError : public Error {
 public:
  using Error::Error;
  [[nodiscard]] int exit_code() const noexcept override { return 2; }
};

// A file or a sample is wrong.
class DataError : public Error {
 public:
  using Error::Error;
  [[nodiscard]] int exit_code() const noexcept override { return 3; }
};

// Keys, shapes or dtypes do not fit together.
class GraphError : public Error {
 public:
  using Error::Error;
  [[nodiscard]] int exit_code() const noexcept override { return 4; }
};

// A defect of Hearth itself.
class InternalError : public Error {
 public:
  using Error::Error;
  [[nodiscard]] int exit_code() const noexcept override { return 70; }
};

}  // namespace hearth
