// Tests of PyTorch's files against what Python's torch wrote into them (tests/parity/make_pt.py).
#include "hearth/format/pt.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "hearth/base/error.h"
#include "hearth/base/message_of_test.h"
#include "hearth/format/array_names.h"

namespace hearth {
namespace {

const fs::path kTests = fs::path(HEARTH_SOURCE_DIR) / "tests";

std::string hex_of(std::span<const std::byte> bytes) {
  std::string text;
  for (const std::byte byte : bytes) {
    text += "0123456789abcdef"[static_cast<uint8_t>(byte) >> 4U];
    text += "0123456789abcdef"[static_cast<uint8_t>(byte) & 15U];
  }
  return text;
}

nlohmann::json content_of(const PtFile& file) {
  nlohmann::json content = {{"tensors", nlohmann::json::array()},
                            {"values", nlohmann::json::object()}};
  for (const PtTensor& tensor : file.tensors()) {
    std::vector<std::byte> room;
    content["tensors"].push_back({{"name", tensor.name},
                                  {"dtype", name_of(file.type_of(tensor))},
                                  {"shape", tensor.shape},
                                  {"bytes", hex_of(file.bytes(tensor, room))}});
  }
  for (const auto& [name, value] : file.values()) content["values"][name] = value;
  return content;
}

TEST(Pt, ReadsWhatPythonWroteOrSaysWhyNot) {
  const auto expected = nlohmann::json::parse(read_file(kTests / "parity/pt.json"));
  ASSERT_GE(expected.size(), 60U);
  for (const auto& [name, entry] : expected.items()) {
    const fs::path path = kTests / "corpus" / name;
    if (entry.contains("refused")) {
      const std::string reason = entry.at("refused");
      const std::string said = message_of<DataError>([&] { (void)content_of(PtFile(path)); });
      EXPECT_NE(said.find(reason), said.npos) << name << " said: " << said;
    } else {
      EXPECT_EQ(content_of(PtFile(path)), entry) << name;
    }
  }
  EXPECT_FALSE(fs::exists("hearth_was_executed"));
}

TEST(Pt, SaysWhatToDo) {
  EXPECT_NE(
      message_of<DataError>([] { (void)PtFile(kTests / "corpus/pt/module.pt"); })
          .find("module.pt: wants to execute 'torch.nn.modules.linear.Linear', and nothing of "
                "a file is executed. It holds a whole model, not its tensors alone. In "
                "Python, save these: torch.save(model.state_dict(), 'weights.pt')."),
      std::string::npos);
}

// As a file in memory, read to its end.
void read_all(const std::string& bytes) {
  const FileHandle handle(memfd_create("pt", 0));
  ASSERT_EQ(write(handle.descriptor(), bytes.data(), bytes.size()),
            static_cast<ssize_t>(bytes.size()));
  (void)content_of(PtFile("/proc/self/fd/" + std::to_string(handle.descriptor())));
}

TEST(Pt, RefusesEveryTruncation) {
  for (const char* name : {"pt/half.pt", "pt_legacy/half.pt"}) {
    const std::string file = read_file(kTests / "corpus" / name);
    for (size_t length = 0; length < file.size(); ++length)
      EXPECT_THROW(read_all(file.substr(0, length)), DataError) << name << " " << length;
  }
}

TEST(Pt, SurvivesAnyChangedByte) {
  for (const char* name : {"pt/views.pt", "pt_legacy/views.pt"}) {
    const std::string file = read_file(kTests / "corpus" / name);
    for (size_t at = 0; at < file.size(); ++at) {
      std::string changed = file;
      changed[at] = static_cast<char>(changed[at] ^ 0x55);
      try {
        read_all(changed);
      } catch (const DataError&) {
      }
    }
  }
}

}  // namespace
}  // namespace hearth
