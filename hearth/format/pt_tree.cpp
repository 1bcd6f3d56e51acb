// What a pickle of PyTorch's says about tensors.
#include "hearth/format/pt_tree.h"

#include <algorithm>
#include <map>
#include <set>

#include "hearth/base/error.h"
#include "hearth/base/text.h"

namespace hearth {

namespace {

using Kind = PickleValue::Kind;

constexpr int kMostDepth = 32;
constexpr size_t kMostNameBytes = 512;
constexpr size_t kMostTensorDimensions = 64;
// Tensors that repeat numbers of their storage may be larger than it by so much, all together.
constexpr uint64_t kMostRepeatedBytes = 64ULL << 20;

class PtTreeReader {
 public:
  PtTreeReader(const Pickle& pickle, const std::string& what) : pickle_(pickle), what_(what) {}

  PtTree read() {
    walk(pickle_.root, "", 0);
    return std::move(tree_);
  }

 private:
  [[noreturn]] void fail(const std::string& name, const std::string& reason) const {
    throw DataError(what_ + ": " + (name.empty() ? "" : quote(name) + ": ") + reason);
  }

  void walk(PickleId id, const std::string& name, int depth) {
    // Values may be named again and again, also within themselves: what is walked counts each time.
    if (depth > kMostDepth)
      fail(name,
           "is nested deeper than " + std::to_string(kMostDepth) + " levels, or holds itself.");
    if (++walked_ > 1024 + 16 * pickle_.values.size())
      fail(name, "names the same values over and over; no file of tensors does.");
    const PickleValue& value = pickle_.at(id);
    switch (value.kind) {
      case Kind::kDict:
        return walk_dictionary(value, name, depth);
      case Kind::kList:
      case Kind::kTuple:
      case Kind::kSet:
        for (size_t i = 0; i < value.items.size(); ++i)
          walk(value.items[i], below(name, std::to_string(i)), depth + 1);
        return;
      case Kind::kCall:
        return walk_call(value, name, depth);
      case Kind::kPersistent:
        return add_storage_alone(value, name);
      default:
        return add_value(value, name);
    }
  }

  void walk_dictionary(const PickleValue& value, const std::string& name, int depth) {
    for (size_t i = 0; i + 1 < value.items.size(); i += 2) {
      const PickleValue& key = pickle_.at(value.items[i]);
      if (key.kind == Kind::kText)
        walk(value.items[i + 1], below(name, key.text), depth + 1);
      else if (key.kind == Kind::kInteger)
        walk(value.items[i + 1], below(name, std::to_string(key.integer)), depth + 1);
      else
        fail(name, "has a key that is neither a text nor a whole number.");
    }
  }

  void walk_call(const PickleValue& call, const std::string& name, int depth) {
    if (call.text == "torch._utils._rebuild_tensor_v2" ||
        call.text == "torch._utils._rebuild_tensor")
      return add_tensor(call.items, name);
    if (call.text.starts_with("torch._utils._rebuild_parameter") && !call.items.empty())
      return walk(call.items[0], name, depth + 1);
    if (call.text == "torch._tensor._rebuild_from_type_v2" && call.items.size() == 4)
      return walk_typed(call, name);
    if (call.text == "torch.Size" || call.text.ends_with(".set")) {
      for (const PickleId item : call.items) walk(item, name, depth + 1);
      return;
    }
    if (call.text == "torch.device" || call.text == "_codecs.encode" ||
        call.text == "torch.serialization._get_layout")
      return add_value(call.items.empty() ? pickle_.at(0) : pickle_.at(call.items[0]), name);
    fail(name, "calls " + quote(call.text) + " as no tensor needs it.");
  }

  // (function, type, arguments, attributes): a tensor with attributes, which are left out.
  void walk_typed(const PickleValue& call, const std::string& name) {
    const PickleValue& function = pickle_.at(call.items[0]);
    const PickleValue& arguments = pickle_.at(call.items[2]);
    if (!function.text.starts_with("torch._utils._rebuild_tensor") ||
        arguments.kind != Kind::kTuple)
      fail(name, "is a tensor of an unknown form.");
    add_tensor(arguments.items, name);
  }

  [[nodiscard]] std::string below(const std::string& name, const std::string& key) const {
    if (name.size() + key.size() >= kMostNameBytes) fail(name, "has a name that is too long.");
    return name.empty() ? key : name + "." + key;
  }

  void add_value(const PickleValue& value, const std::string& name) {
    nlohmann::json json;
    if (value.kind == Kind::kBool) json = value.integer != 0;
    if (value.kind == Kind::kInteger) json = value.integer;
    if (value.kind == Kind::kReal) json = value.real;
    if (value.kind == Kind::kText || value.kind == Kind::kName) json = value.text;
    if (value.kind == Kind::kBytes || value.kind == Kind::kBigInteger)
      json = std::to_string(value.text.size()) + " bytes";
    tree_.values.emplace_back(name, std::move(json));
  }

  void add_storage_alone(const PickleValue& value, const std::string& name) {
    const size_t storage = storage_of(value, name);
    const auto count = static_cast<int64_t>(tree_.storages[storage].count);
    take({own_name(name), {count}, {1}, 0, storage, tree_.storages[storage].count});
  }

  void add_tensor(const std::vector<PickleId>& arguments, const std::string& name) {
    if (arguments.size() < 4) fail(name, "is a tensor without storage, offset, size and strides.");
    PtTensor tensor;
    tensor.name = own_name(name);
    tensor.storage = storage_of(pickle_.at(arguments[0]), name);
    tensor.offset = static_cast<uint64_t>(whole(arguments[1], name));
    tensor.shape = wholes(arguments[2], name);
    tensor.strides = wholes(arguments[3], name);
    check_view(tensor);
    take(std::move(tensor));
  }

  void take(PtTensor tensor) {
    if (!names_.insert(tensor.name).second)
      fail(tensor.name, "is the name of two tensors, by names with dots in them.");
    tree_.tensors.push_back(std::move(tensor));
  }

  [[nodiscard]] static std::string own_name(const std::string& name) {
    return name.empty() ? "tensor" : name;
  }

  int64_t whole(PickleId id, const std::string& name) const {
    const PickleValue& value = pickle_.at(id);
    if (value.kind != Kind::kInteger || value.integer < 0)
      fail(name, "has an offset, a size or a stride that is no whole number from 0.");
    return value.integer;
  }

  std::vector<int64_t> wholes(PickleId id, const std::string& name) const {
    const PickleValue* list = &pickle_.at(id);
    if (list->kind == Kind::kCall && list->text == "torch.Size" && list->items.size() == 1)
      list = &pickle_.at(list->items[0]);
    if ((list->kind != Kind::kTuple && list->kind != Kind::kList) ||
        list->items.size() > kMostTensorDimensions)
      fail(name, "has no list of sizes or strides, or one that is too long.");
    std::vector<int64_t> numbers;
    for (const PickleId item : list->items) numbers.push_back(whole(item, name));
    return numbers;
  }

  // Every index the view can have lies within its storage.
  void check_view(PtTensor& tensor) {
    if (tensor.shape.size() != tensor.strides.size())
      fail(tensor.name, "has " + std::to_string(tensor.shape.size()) + " sizes and " +
                            std::to_string(tensor.strides.size()) + " strides.");
    const PtStorage& storage = tree_.storages[tensor.storage];
    tensor.count = 1;
    uint64_t last = tensor.offset;
    bool is_beyond = false;
    const bool is_empty = std::ranges::find(tensor.shape, 0) != tensor.shape.end();
    for (size_t i = 0; i < tensor.shape.size(); ++i) {
      const auto length = static_cast<uint64_t>(tensor.shape[i]);
      uint64_t reach = 0;
      is_beyond |= __builtin_mul_overflow(tensor.count, length, &tensor.count);
      if (is_empty) continue;
      is_beyond |=
          __builtin_mul_overflow(length - 1, static_cast<uint64_t>(tensor.strides[i]), &reach) ||
          __builtin_add_overflow(last, reach, &last);
    }
    if (is_empty) tensor.count = 0;
    if (!is_empty && (is_beyond || last >= storage.count))
      fail(tensor.name, "reaches beyond its storage of " + human_count(storage.count) +
                            " numbers. The file is damaged.");
    // Strides of 0 name a number more than once: a small file must not become large memory.
    if (tensor.count > storage.count) {
      uint64_t bytes = 0;
      if (__builtin_mul_overflow(tensor.count - storage.count, size_of(storage.type), &bytes) ||
          bytes > kMostRepeatedBytes - repeated_bytes_)
        fail(tensor.name, "repeats its storage to more than " + human_bytes(kMostRepeatedBytes) +
                              ". Save tensor.clone() of what is needed.");
      repeated_bytes_ += bytes;
    }
  }

  // ("storage", type, key, place, count), and in old files null.
  size_t storage_of(const PickleValue& value, const std::string& name) {
    const PickleValue* id =
        value.kind == Kind::kPersistent ? &pickle_.at(value.items.at(0)) : nullptr;
    if (id == nullptr || id->kind != Kind::kTuple || id->items.size() < 5 ||
        pickle_.at(id->items[0]).text != "storage")
      fail(name, "has no storage where one must be.");
    const PickleValue& key = pickle_.at(id->items[2]);
    const auto type = pt_storage_type(pickle_.at(id->items[1]).text);
    if (!type || key.kind != Kind::kText) fail(name, "has a storage of an unknown form.");
    PtStorage storage{key.text, *type, static_cast<uint64_t>(whole(id->items[4], name))};
    uint64_t bytes = 0;
    if (__builtin_mul_overflow(storage.count, size_of(*type), &bytes))
      fail(name, "has a storage of more bytes than 64 bits can count.");
    if (id->items.size() > 5 && pickle_.at(id->items[5]).kind != Kind::kNone)
      fail(name,
           "has a storage within another one, as only PyTorch before 0.4 wrote. Load it in "
           "Python and save it again.");
    return known_storage(std::move(storage), name);
  }

  size_t known_storage(PtStorage storage, const std::string& name) {
    const auto [place, is_new] = storages_.emplace(storage.key, tree_.storages.size());
    if (is_new) {
      tree_.storages.push_back(std::move(storage));
    } else if (const PtStorage& known = tree_.storages[place->second];
               known.type != storage.type || known.count != storage.count) {
      fail(name, "has a storage that is of another type or size elsewhere in the file.");
    }
    return place->second;
  }

  const Pickle& pickle_;
  const std::string& what_;
  PtTree tree_;
  std::set<std::string> names_;
  std::map<std::string, size_t> storages_;
  uint64_t walked_ = 0;
  uint64_t repeated_bytes_ = 0;
};

}  // namespace

bool PtTensor::is_dense() const {
  int64_t expected = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    if (shape[i] != 1 && strides[i] != expected) return count == 0;
    expected *= shape[i];
  }
  return true;
}

PtTree read_pt_tree(const Pickle& pickle, const std::string& what) {
  return PtTreeReader(pickle, what).read();
}

}  // namespace hearth
