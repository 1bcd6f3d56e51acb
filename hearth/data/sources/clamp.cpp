// A source whose numbers stay within limits: what lies beyond them becomes the limit.
#include "hearth/data/sources/clamp.h"

#include <limits>

#include "hearth/base/error.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/data/column.h"
#include "hearth/data/source_list.h"

namespace hearth::sources {

namespace {

class Clamp : public Source {
 public:
  using Options = ClampOptions;
  explicit Clamp(Options options) : options_(std::move(options)) {}

  void open() override {
    if (!options_.low && !options_.high) throw ConfigError("clamp: needs 'low' or 'high'.");
    source_ = open_choice(*options_.of);
    const Spec spec = column_spec(*source_, {"clamp", options_.key});
    if (spec.dtype != DType::kFloat32 && spec.dtype != DType::kFloat64)
      throw DataError("clamp: key " + quote(options_.key) + " must be float32 or float64, but is " +
                      spec.text() + ".");
    const std::vector<KeySpec> keys = source_->keys();
    for (size_t k = 0; k < keys.size(); ++k)
      if (keys[k].key == options_.key) place_ = k;
  }

  std::vector<KeySpec> keys() const override { return source_->keys(); }
  int64_t size() const override { return source_->size(); }
  void read(int64_t index, std::span<const Cell> cells) const override {
    source_->read(index, cells);
    const Cell& cell = cells[place_];
    if (!cell.is_wanted()) return;
    cell.spec().dtype == DType::kFloat32 ? limit(cell.as<float>()) : limit(cell.as<double>());
  }
  uint64_t resident_bytes() const override { return source_->resident_bytes(); }
  std::string fingerprint() const override {
    const auto text = [](const std::optional<double>& number) {
      return number ? shortest_number(*number) : std::string("none");
    };
    return "clamp:" + options_.key + ":" + text(options_.low) + ":" + text(options_.high) + ":" +
           source_->fingerprint();
  }
  std::string describe(int64_t index) const override { return source_->describe(index); }

 private:
  // What is not a number stays so.
  template <class Number>
  void limit(std::span<Number> values) const {
    const auto low =
        static_cast<Number>(options_.low.value_or(-std::numeric_limits<double>::infinity()));
    const auto high =
        static_cast<Number>(options_.high.value_or(std::numeric_limits<double>::infinity()));
    for (Number& value : values) value = value < low ? low : value > high ? high : value;
  }

  Options options_;
  std::unique_ptr<Source> source_;
  size_t place_ = 0;
};

}  // namespace

const Schema<ClampOptions>& ClampOptions::schema() {
  using O = ClampOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::of, "of", "The source.", required())
          .field(&O::key, "key", "The key whose numbers are limited.", required(), not_empty())
          .field(&O::low, "low", "What lies below becomes this; left out: nothing does.")
          .field(&O::high, "high", "What lies above becomes this; left out: nothing does.")
          .check("'low' must not be above 'high'.", [](const O& options) {
            return !options.low || !options.high || *options.low <= *options.high;
          });
  return schema;
}

Choice<Source> clamp(const ClampOptions& options) { return choose<Source>("clamp", options); }

void register_clamp(Registry<Source>& registry) {
  registry.add<Clamp>("clamp", "A source whose numbers stay within limits.");
}

}  // namespace hearth::sources
