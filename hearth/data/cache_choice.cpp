// Memory when all fits, else the disk, else nothing.
#include "hearth/data/cache_choice.h"

#include <algorithm>

#include "hearth/base/text.h"

namespace hearth {

namespace {

std::string cache_bytes_text(int64_t bytes) { return human_bytes(static_cast<uint64_t>(bytes)); }

std::vector<Spec> cached_specs(const DataPlan& plan) {
  std::vector<Spec> specs;
  for (const DataStep::Operand& value : plan.fixed_values) specs.push_back(value.spec);
  return specs;
}

// "60,000 samples x 3.1 KiB after normalize = 179.4 MiB".
std::string needed_text(const DataPlan& plan, int64_t record, int64_t needed) {
  const std::string where =
      plan.fixed_steps == 0 ? "of the source" : "after " + plan.steps[plan.fixed_steps - 1].name;
  const std::string samples = human_count(static_cast<uint64_t>(plan.source->size())) + " samples ";
  if (record == 0) return samples + where + ", whose sizes differ";
  return samples + "x " + cache_bytes_text(record) + " " + where + " = " + cache_bytes_text(needed);
}

int64_t free_disk_bytes(const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::path there = std::filesystem::absolute(folder, failed);
  while (!std::filesystem::exists(there, failed) && there.has_relative_path())
    there = there.parent_path();
  const auto space = std::filesystem::space(there, failed);
  if (failed) return 0;
  return static_cast<int64_t>(std::min<uintmax_t>(space.available, INT64_MAX));
}

// A cache that could hold only a part still spares that part.
CacheChoice in_memory(const CacheRequest& request, int64_t needed, const std::string& what) {
  const int64_t most = needed > 0 ? std::min(needed, request.memory_bytes) : request.memory_bytes;
  return {CacheKind::kMemory, needed, most,
          "in memory: " + what + ", of at most " + cache_bytes_text(request.memory_bytes)};
}

CacheChoice on_disk(const CacheRequest& request, int64_t needed, const std::string& what) {
  const int64_t free = free_disk_bytes(request.folder);
  const int64_t most = needed > 0 ? needed : free / 2;
  return {CacheKind::kDisk, needed, most,
          "on disk, in " + request.folder.string() + ": " + what + ", of " +
              cache_bytes_text(free) + " that are free"};
}

CacheChoice automatic_cache(const CacheRequest& request, const DataPlan& plan, int64_t needed,
                            const std::string& what) {
  if (plan.fixed_steps == 0) return {.text = "none: no op comes before the first random one"};
  if (needed <= request.memory_bytes) return in_memory(request, needed, what);
  if (needed <= free_disk_bytes(request.folder) / 2) return on_disk(request, needed, what);
  return {.text = "none: " + what + ", more than " + cache_bytes_text(request.memory_bytes) +
                  " of memory and half of the " +
                  cache_bytes_text(free_disk_bytes(request.folder)) + " that are free on disk"};
}

}  // namespace

CacheChoice choose_cache(const CacheRequest& request, const DataPlan& plan) {
  if (request.wanted == "none" || plan.fixed_values.empty()) return {};
  const int64_t record = SampleCache::record_bytes(cached_specs(plan));
  int64_t needed = 0;
  if (__builtin_mul_overflow(record, plan.source->size(), &needed)) needed = INT64_MAX;
  const std::string what = needed_text(plan, record, needed);
  if (request.wanted == "memory") return in_memory(request, needed, what);
  if (request.wanted == "disk") return on_disk(request, needed, what);
  return automatic_cache(request, plan, needed, what);
}

std::shared_ptr<SampleCache> make_cache(const CacheRequest& request, const CacheChoice& choice,
                                        const DataPlan& plan) {
  if (choice.kind == CacheKind::kNone || choice.most_bytes <= 0) return nullptr;
  return std::make_shared<SampleCache>(
      SampleCacheOptions{.kind = choice.kind,
                         .samples = plan.source->size(),
                         .specs = cached_specs(plan),
                         .most_bytes = choice.most_bytes,
                         .identity = request.source + "\n" + plan.fixed_identity,
                         .folder = request.folder,
                         .source = plan.source});
}

}  // namespace hearth
