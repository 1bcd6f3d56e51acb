// Fuzzes what becomes of a log's line: whatever it says, the records of it are whole and readable.
#include <cstdlib>
#include <cstring>
#include <string>

#include "hearth/core/event.h"
#include "hearth/format/protobuf.h"
#include "hearth/format/tfrecord.h"
#include "hearth/tracking/histograms.h"
#include "hearth/tracking/markdown.h"
#include "hearth/tracking/series_name.h"
#include "hearth/tracking/summary.h"

namespace {

// Throws, and so ends the fuzzer, for a record that its own reader refuses.
void check(const std::string& event) {
  const std::string record = hearth::tfrecord_of(event);
  const auto read = [&](uint64_t offset, std::span<std::byte> into) {
    std::memcpy(into.data(), record.data() + offset, into.size());
  };
  const std::string what = "record";
  const auto places = hearth::tfrecord_places(read, record.size(), what);
  if (places.size() != 1) std::abort();
  std::string bytes;
  hearth::read_tfrecord(read, places.front(), bytes, what);
  if (bytes != event) std::abort();
  hearth::ProtobufReader reader(bytes, what);
  while (reader.next()) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto event = hearth::event_from({reinterpret_cast<const char*>(data), size});
  if (!event) return 0;
  std::vector<hearth::SummaryValue> values;
  for (const auto& [name, value] : event->values)
    values.push_back(hearth::scalar_summary(hearth::series_name(event->kind, name), value));
  for (const auto& [name, histogram] : hearth::histograms_of(*event))
    values.push_back(hearth::histogram_summary(name, histogram));
  const auto rows = hearth::table_rows(event->details);
  if (!rows.empty()) values.push_back(hearth::text_summary("table", hearth::markdown_table(rows)));
  check(hearth::summary_event({event->time, event->step}, values));
  return 0;
}
