// Superblocks of versions 0 to 3, and headers of objects in their two forms.
#include "hearth/format/hdf5_objects.h"

#include <algorithm>
#include <vector>

namespace hearth {

namespace {

constexpr std::string_view kSignature = "\x89HDF\r\n\x1a\n";
constexpr size_t kMostMessages = 65'536;  // of an object

// A block of messages.
struct MessageBlock {
  uint64_t address = 0;
  uint64_t bytes = 0;
};

void check_sizes(Hdf5Bytes& block) {
  const uint64_t offsets = block.number(1);
  const uint64_t lengths = block.number(1);
  if (offsets != 8 || lengths != 8)
    block.fail("was written with addresses of " + std::to_string(offsets) +
               " bytes, but 8 can be read." + kHdf5Again);
}

class MessageReader {
 public:
  using Visit = std::function<void(Hdf5MessageKind, Hdf5Bytes)>;
  MessageReader(const Hdf5Input& input, const Visit& visit) : input_(input), visit_(visit) {}

  void read(uint64_t address) {
    const std::string start(input_.block(address, 4).take(4));
    if (start == "OHDR")
      read_new_header(address);
    else
      read_old_header(address);
    for (size_t i = 0; i < blocks_.size(); ++i) read_block(blocks_[i]);
  }

 private:
  void read_old_header(uint64_t address) {
    Hdf5Bytes header = input_.block(address, 16);
    if (header.number(1) != 1)
      header.fail("the HDF5 file is damaged: no object where one was expected.");
    header.skip(7);
    blocks_.push_back({address + 16, header.number(4)});
  }

  void read_new_header(uint64_t address) {
    is_new_ = true;
    Hdf5Bytes header = input_.block(address, 6);
    header.skip(4);
    if (header.number(1) != 2)
      header.fail("has an object of an unknown version." + std::string(kHdf5Again));
    const uint64_t flags = header.number(1);
    has_order_ = (flags & 4) != 0;
    const uint64_t extra = ((flags & 0x20) != 0 ? 16U : 0U) + ((flags & 0x10) != 0 ? 4U : 0U);
    const uint64_t width = uint64_t{1} << (flags & 3);
    Hdf5Bytes sizes = input_.block(address + 6 + extra, width);
    blocks_.push_back({address + 6 + extra + width, sizes.number(width)});
  }

  void read_block(const MessageBlock& where) {
    Hdf5Bytes block = input_.block(where.address, where.bytes);
    const size_t header_bytes = is_new_ ? (has_order_ ? 6 : 4) : 8;
    while (block.rest() >= header_bytes) {
      const auto kind = static_cast<Hdf5MessageKind>(block.number(is_new_ ? 1 : 2));
      const uint64_t bytes = block.number(2);
      const uint64_t flags = block.number(1);
      block.skip(header_bytes - (is_new_ ? 4 : 5));
      Hdf5Bytes message(std::string(block.take(bytes)), input_.what);
      if (++messages_ > kMostMessages)
        block.fail("the HDF5 file is damaged: an object without end.");
      if (kind == Hdf5MessageKind::kContinuation)
        add_continuation(message);
      else if ((flags & 2) == 0)
        visit_(kind, std::move(message));
      else if (kind == Hdf5MessageKind::kDatatype)
        message.fail("was written with a type that has a name of its own." +
                     std::string(kHdf5Again));
    }
  }

  void add_continuation(Hdf5Bytes& message) {
    const uint64_t address = message.number(8);
    const uint64_t bytes = message.number(8);
    if (blocks_.size() > 1024) message.fail("the HDF5 file is damaged: an object without end.");
    if (!is_new_) return blocks_.push_back({address, bytes});
    if (bytes < 8) message.fail("the HDF5 file is damaged: a part of an object is too short.");
    input_.block(address, 4).expect("OCHK");
    blocks_.push_back({address + 4, bytes - 8});  // without signature and checksum
  }

  const Hdf5Input& input_;
  const Visit& visit_;
  std::vector<MessageBlock> blocks_;
  size_t messages_ = 0;
  bool is_new_ = false;
  bool has_order_ = false;
};

// The tree of a group of the old form, and the texts that its names lie in.
class OldGroup {
 public:
  using Visit = std::function<void(std::string, uint64_t)>;
  OldGroup(const Hdf5Input& input, uint64_t heap, const Visit& visit)
      : input_(input), names_(heap_of(input, heap)), visit_(visit) {}

  void read(uint64_t address, int depth = 0) {
    constexpr int kMostDepth = 32;
    constexpr uint64_t kNodeBytes = 24;
    if (depth > kMostDepth) fail_circle();
    count_node();
    Hdf5Bytes head = input_.block(address, kNodeBytes);
    head.expect("TREE");
    if (head.number(1) != 0) head.fail("the HDF5 file is damaged: a group's tree holds chunks.");
    const uint64_t level = head.number(1);
    const uint64_t count = head.number(2);
    Hdf5Bytes entries = input_.block(address + kNodeBytes, 8 + count * 16);
    for (uint64_t i = 0; i < count; ++i) {
      entries.skip(8);
      const uint64_t child = entries.number(8);
      if (level > 0)
        read(child, depth + 1);
      else
        read_leaf(child);
    }
  }

 private:
  [[noreturn]] void fail_circle() const {
    throw DataError(input_.what + ": the HDF5 file is damaged: a group's tree is a circle.");
  }

  // Nodes lie in the file once; more of them than it has room for are a circle.
  void count_node() {
    constexpr uint64_t kMostNodes = 1'000'000;
    constexpr uint64_t kLeastNodeBytes = 8;
    if (++nodes_ > std::min(kMostNodes, 1 + input_.file_bytes / kLeastNodeBytes)) fail_circle();
  }

  static std::string heap_of(const Hdf5Input& input, uint64_t address) {
    Hdf5Bytes head = input.block(address, 32);
    head.expect("HEAP");
    head.skip(4);
    const uint64_t bytes = head.number(8);
    head.skip(8);
    return std::string(input.block(head.number(8), bytes).take(bytes));
  }

  void read_leaf(uint64_t address) {
    constexpr uint64_t kEntryBytes = 40;
    Hdf5Bytes head = input_.block(address, 8);
    head.expect("SNOD");
    head.skip(2);
    const uint64_t count = head.number(2);
    count_node();
    Hdf5Bytes entries = input_.block(address + 8, count * kEntryBytes);
    for (uint64_t i = 0; i < count; ++i) {
      const uint64_t name = entries.number(8);
      const uint64_t object = entries.number(8);
      const bool is_symbolic = entries.number(4) == 2;
      entries.skip(20);
      if (name >= names_.size()) entries.fail("the HDF5 file is damaged: a name lies nowhere.");
      const std::string_view rest = std::string_view(names_).substr(static_cast<size_t>(name));
      if (!is_symbolic) visit_(std::string(rest.substr(0, rest.find('\0'))), object);
    }
  }

  const Hdf5Input& input_;
  std::string names_;
  const Visit& visit_;
  uint64_t nodes_ = 0;
};

class DatasetFinder {
 public:
  explicit DatasetFinder(const Hdf5Input& input) : input_(input) {}

  std::map<std::string, uint64_t> find(uint64_t root) {
    groups_.push_back({"", root});
    std::map<uint64_t, bool> seen;  // whether what lies there is a dataset
    for (size_t i = 0; i < groups_.size(); ++i) {
      const Place object = groups_[i];
      is_dataset_ = false;
      // Hard links may lead in circles, and to one dataset by several names.
      if (const auto found = seen.find(object.address); found != seen.end())
        is_dataset_ = found->second;
      else
        for_each_hdf5_message(input_, object.address, [&](Hdf5MessageKind kind, Hdf5Bytes message) {
          look_at(object, kind, message);
        });
      seen[object.address] = is_dataset_;
      if (is_dataset_) datasets_[object.path] = object.address;
    }
    return std::move(datasets_);
  }

 private:
  struct Place {
    std::string path;
    uint64_t address = 0;
  };

  void look_at(const Place& object, Hdf5MessageKind kind, Hdf5Bytes& message) {
    const auto add = [&](const std::string& name, uint64_t address) {
      add_link(object, name, address);
    };
    if (kind == Hdf5MessageKind::kLayout) is_dataset_ = true;
    if (kind == Hdf5MessageKind::kSymbolTable) {
      const uint64_t tree = message.number(8);
      const OldGroup::Visit visit = add;
      OldGroup(input_, message.number(8), visit).read(tree);
    }
    if (kind == Hdf5MessageKind::kLinkInfo) check_compact(object, message);
    if (kind == Hdf5MessageKind::kLink) read_link(message, add);
  }

  static void check_compact(const Place& group, Hdf5Bytes& message) {
    message.skip(1);
    if ((message.number(1) & 1) != 0) message.skip(8);
    if (message.number(8) != kHdf5Nowhere)
      message.fail("was written with libver='latest', and the group '/" + group.path +
                   "' has so many members that they lie in a heap." + kHdf5Again);
  }

  template <class Add>
  static void read_link(Hdf5Bytes& message, const Add& add) {
    message.skip(1);
    const uint64_t flags = message.number(1);
    const uint64_t type = (flags & 8) != 0 ? message.number(1) : 0;
    if ((flags & 4) != 0) message.skip(8);
    if ((flags & 16) != 0) message.skip(1);
    const std::string name(message.take(message.number(uint64_t{1} << (flags & 3))));
    if (type == 0) add(name, message.number(8));
  }

  void add_link(const Place& parent, const std::string& name, uint64_t address) {
    constexpr size_t kMostObjects = 1'000'000;
    constexpr size_t kMostPathBytes = 64 << 20;
    const std::string path = parent.path.empty() ? name : parent.path + "/" + name;
    path_bytes_ += path.size();
    if (groups_.size() >= kMostObjects || path_bytes_ > kMostPathBytes)
      throw DataError(input_.what + ": the HDF5 file has more than " +
                      std::to_string(kMostObjects) + " objects, or names without end.");
    groups_.push_back({path, address});
  }

  const Hdf5Input& input_;
  std::vector<Place> groups_;
  size_t path_bytes_ = 0;
  std::map<std::string, uint64_t> datasets_;
  bool is_dataset_ = false;
};

}  // namespace

uint64_t find_hdf5_root(Hdf5Input& input) {
  // A block of the user's own may stand before it, of a power of two bytes from 512 on.
  for (uint64_t at = 0; at < input.file_bytes; at = at == 0 ? 512 : at * 2) {
    input.base = at;
    if (input.file_bytes - at < 48) break;
    Hdf5Bytes block = input.block(0, 48);
    if (block.take(kSignature.size()) != kSignature) continue;
    const uint64_t version = block.number(1);
    if (version > 3)
      block.fail("has an HDF5 superblock of version " + std::to_string(version) +
                 ", but 0 to 3 can be read." + kHdf5Again);
    if (version >= 2) {
      check_sizes(block);
      block.skip(1 + 24);
      return block.number(8);
    }
    block.skip(4);
    check_sizes(block);
    // The root's entry: where its name lies, then its header.
    Hdf5Bytes entry = input.block(version == 0 ? 56 : 60, 16);
    entry.skip(8);
    return entry.number(8);
  }
  throw DataError(input.what + ": is no HDF5 file.");
}

void for_each_hdf5_message(const Hdf5Input& input, uint64_t address,
                           const std::function<void(Hdf5MessageKind, Hdf5Bytes)>& visit) {
  MessageReader(input, visit).read(address);
}

std::map<std::string, uint64_t> find_hdf5_datasets(const Hdf5Input& input, uint64_t root) {
  return DatasetFinder(input).find(root);
}

}  // namespace hearth
