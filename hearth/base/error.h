// The four kinds of error that cross a part's border. The library throws; only `main` prints.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace hearth {

// A message says where, what is wrong, what was expected, what came, and what to do next.
class Error : public std::runtime_error {
 public:
  // The place in the config, "digits.yaml:3:7: data.train: ", goes before the message; it is empty
  // for a message whose lines have their own.
  explicit Error(const std::string& message, std::optional<std::string> place = std::nullopt)
      : std::runtime_error(place.value_or("") + message), place_(std::move(place)) {}
  [[nodiscard]] bool is_placed() const noexcept { return place_.has_value(); }
  [[nodiscard]] const std::optional<std::string>& place() const noexcept { return place_; }
  [[nodiscard]] std::string message() const { return what() + place_.value_or("").size(); }
  // The exit code that `main` gives the shell.
  [[nodiscard]] virtual int exit_code() const noexcept { return 1; }

 private:
  std::optional<std::string> place_;
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
