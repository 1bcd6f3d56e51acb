// Notes every operator that reads values on the host while a step runs on another device.
#include "tests/conformance/device_watch.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <algorithm>
#include <mutex>
#include <set>

namespace hearth {
namespace {

struct WatchNotes {
  std::mutex mutex;
  std::vector<std::string> faults;
};

WatchNotes& watch_notes() {
  static WatchNotes notes;
  return notes;
}

// A single number on the CPU may go with tensors of any device.
bool is_on_host(const at::Tensor& tensor) {
  return tensor.defined() && tensor.is_cpu() && tensor.dim() > 0;
}

bool reads_host(const c10::IValue& input) {
  if (input.isTensor()) return is_on_host(input.toTensor());
  if (!input.isTensorList()) return false;
  const auto tensors = input.toTensorVector();
  return std::any_of(tensors.begin(), tensors.end(), is_on_host);
}

// Bringing a tensor from the host to the device is what these are for.
bool is_copy(const std::string& name) {
  static const std::set<std::string> copies = {"aten::copy_", "aten::to", "aten::_to_copy"};
  return copies.contains(name);
}

std::unique_ptr<at::ObserverContext> note_operator(const at::RecordFunction& call) {
  const std::string name = call.name();
  const auto inputs = call.inputs();
  if (is_copy(name) || std::none_of(inputs.begin(), inputs.end(), reads_host)) return nullptr;
  const std::scoped_lock lock(watch_notes().mutex);
  watch_notes().faults.push_back(name + " reads a tensor on the CPU");
  return nullptr;
}

}  // namespace

DeviceWatch::DeviceWatch() {
  watch_notes().faults.clear();
  handle_ = at::addGlobalCallback(at::RecordFunctionCallback(note_operator)
                                      .needsInputs(true)
                                      .scopes({at::RecordScope::FUNCTION}));
}

DeviceWatch::~DeviceWatch() { at::removeCallback(handle_); }

std::vector<std::string> DeviceWatch::faults() {
  const std::scoped_lock lock(watch_notes().mutex);
  return watch_notes().faults;
}

}  // namespace hearth
