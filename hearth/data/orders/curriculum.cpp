// Easy samples first: an epoch draws on the easiest share of the samples, which grows from epoch to
// epoch. Epochs stay as long as the source: while the share is small, its samples come again.
#include "hearth/data/orders/curriculum.h"

#include <cmath>

#include "hearth/base/digest.h"
#include "hearth/base/error.h"
#include "hearth/base/files.h"
#include "hearth/base/text.h"
#include "hearth/config/registry.h"
#include "hearth/core/random.h"
#include "hearth/data/column.h"
#include "hearth/data/keyed_seed.h"
#include "hearth/data/sorted_samples.h"
#include "hearth/format/csv.h"

namespace hearth::orders {

namespace {

std::vector<double> score_file(const CurriculumOptions& options, int64_t samples) {
  const std::string text = read_file(*options.file);
  if (!options.digest.empty() && sha256_hex(text) != options.digest)
    throw DataError(*options.file +
                    " is not the file that this config was made with: `digest` says so. Put that "
                    "one back, or set `digest` to nothing and take this one.");
  std::vector<double> scores;
  for (const CsvNumbers::Row& row : parse_csv_numbers(text, *options.file).rows) {
    if (row.values.size() != 1)
      throw DataError(*options.file + ":" + std::to_string(row.line) +
                      ": expected one score, but the line holds " +
                      std::to_string(row.values.size()) + " numbers.");
    scores.push_back(row.values[0]);
  }
  if (static_cast<int64_t>(scores.size()) == samples) return scores;
  throw DataError(*options.file + ": holds " + human_count(scores.size()) +
                  " scores, but the source has " + human_count(static_cast<uint64_t>(samples)) +
                  " samples. Write one line for each.");
}

class Curriculum : public Order {
 public:
  using Options = CurriculumOptions;
  explicit Curriculum(Options options) : options_(std::move(options)) {}

  void open(const Source& source) override {
    if (options_.key.has_value() == options_.file.has_value())
      throw ConfigError("order curriculum: needs 'key' or 'file', and not both.");
    std::vector<double> scores = options_.key
                                     ? number_column(source, {"order curriculum", *options_.key})
                                     : score_file(options_, source.size());
    for (size_t i = 0; i < scores.size(); ++i) {
      if (std::isnan(scores[i]))
        throw DataError("order curriculum: the score of " +
                        source.describe(static_cast<int64_t>(i)) + " is not a number.");
      if (options_.easy == "high") scores[i] = -scores[i];
    }
    sorted_ = std::make_shared<const std::vector<int64_t>>(sorted_samples(scores));
  }

  [[nodiscard]] std::unique_ptr<const EpochOrder> epoch(
      const OrderRequest& request) const override {
    const double samples = static_cast<double>(request.samples) * share_at(request.epoch);
    const auto pool = static_cast<uint64_t>(
        std::clamp<int64_t>(std::llround(samples), 1, std::max<int64_t>(request.samples, 1)));
    return cut_order(request, [sorted = sorted_, pool, request](int64_t position) {
      const auto at = static_cast<uint64_t>(position);
      const Permutation pass(pool,
                             seed_of({request.seed, static_cast<uint64_t>(request.epoch),
                                      "order curriculum", at / pool}),
                             0);
      return (*sorted)[pass.at(at % pool)];
    });
  }

 private:
  [[nodiscard]] double share_at(int64_t epoch) const {
    const double length = options_.until.value - options_.from.value;
    const double done =
        std::clamp((static_cast<double>(epoch) - options_.from.value) / length, 0.0, 1.0);
    if (options_.pace == "linear") return options_.start + (1 - options_.start) * done;
    return std::sqrt(options_.start * options_.start +
                     (1 - options_.start * options_.start) * done);
  }

  Options options_;
  std::shared_ptr<const std::vector<int64_t>> sorted_;
};

}  // namespace

const Schema<CurriculumOptions>& CurriculumOptions::schema() {
  using O = CurriculumOptions;
  static const auto schema =
      Schema<O>()
          .field(&O::key, "key", "The key that holds how hard a sample is, a number.", not_empty())
          .field(&O::file, "file",
                 "A file with how hard each sample is, a number in each line, in the place of key.",
                 not_empty(), is_path())
          .field(&O::easy, "easy", "Whether samples of low or of high numbers are easy.",
                 one_of({"low", "high"}))
          .field(&O::start, "start", "The share of the samples that comes first.", above(0),
                 at_most(1))
          .field(&O::from, "from", "Until then the share stays as it starts, in epochs.")
          .field(&O::until, "until", "From then on all samples come, in epochs.")
          .field(&O::pace, "pace",
                 "How the share grows between: in a line, or as a square root, fast at first.",
                 one_of({"linear", "root"}))
          .field(&O::digest, "digest",
                 "SHA-256 of the file. Left out, a run fills it in when it starts, so that it does "
                 "not go on with another file.",
                 digest_of("file"))
          .check("'from' and 'until' must be given in epochs, such as 10ep.",
                 [](const O& options) {
                   return options.from.unit == TimeUnit::kEpoch &&
                          options.until.unit == TimeUnit::kEpoch;
                 })
          .check("'from' must lie before 'until'.",
                 [](const O& options) { return options.from.value < options.until.value; });
  return schema;
}

Choice<Order> curriculum(const CurriculumOptions& options) {
  return choose<Order>("curriculum", options);
}

void register_curriculum(Registry<Order>& registry) {
  registry.add<Curriculum>("curriculum", "Easy samples first, by a score; their share grows.");
}

}  // namespace hearth::orders
