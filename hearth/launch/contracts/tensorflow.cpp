// TF_CONFIG: {"cluster": {"worker": ["a:2222", "b:2222"]}, "task": {"type": "worker", "index": 1}}.
#include "hearth/base/error.h"
#include "hearth/format/json.h"
#include "hearth/launch/contract.h"
#include "hearth/launch/jobs.h"

namespace hearth {
namespace {

RankPlace read_tensorflow(const Environment& environment) {
  try {
    const nlohmann::json json = parse_json(environment.text("TF_CONFIG"), "TF_CONFIG");
    const nlohmann::json& task = json.at("task");
    const nlohmann::json& index = task.at("index");
    return place_in(json.at("cluster").get<Jobs>(), task.at("type").get<std::string>(),
                    index.is_string() ? std::stoll(index.get<std::string>()) : index.get<int64_t>(),
                    "TF_CONFIG");
  } catch (const DataError& error) {
    throw ConfigError(error.what());
  } catch (const std::logic_error& error) {  // stoll's
    throw ConfigError("TF_CONFIG: task.index is no whole number.");
  } catch (const nlohmann::json::exception& error) {
    throw ConfigError(
        "TF_CONFIG must be {\"cluster\": {JOB: [HOST:PORT, ...]}, \"task\": "
        "{\"type\": JOB, \"index\": NUMBER}}: " +
        std::string(error.what()));
  }
}

// TensorFlow writes {} or one without a cluster where there is one process.
bool has_cluster(const Environment& environment) {
  return environment.text("TF_CONFIG").find("\"cluster\"") != std::string::npos;
}

}  // namespace

Contract tensorflow() { return {"TF_CONFIG", {"TF_CONFIG"}, 2, has_cluster, read_tensorflow}; }

}  // namespace hearth
