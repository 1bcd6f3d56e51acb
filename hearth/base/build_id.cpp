// Which build of the program this is: the note that linkers call the build ID.
#include "hearth/base/build_id.h"

#include <link.h>

#include <cstring>

namespace hearth {
namespace {

struct BuildIdSearch {
  uintptr_t address = 0;
  std::string found = "unknown";
};

std::string hex_of(const unsigned char* bytes, size_t count) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text;
  for (size_t i = 0; i < count; ++i) {
    text += kDigits[bytes[i] >> 4];
    text += kDigits[bytes[i] & 15];
  }
  return text;
}

// Names and contents of notes are filled up to whole words.
constexpr size_t padded_size(size_t size) { return (size + 3) & ~size_t{3}; }

void look_through_notes(const unsigned char* notes, size_t size, std::string& found) {
  while (size >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) head{};
    std::memcpy(&head, notes, sizeof head);
    const size_t whole = sizeof head + padded_size(head.n_namesz) + padded_size(head.n_descsz);
    if (whole > size) return;
    const unsigned char* name = notes + sizeof head;
    if (head.n_type == NT_GNU_BUILD_ID && head.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0) {
      found = hex_of(name + padded_size(head.n_namesz), head.n_descsz);
      return;
    }
    notes += whole;
    size -= whole;
  }
}

int look_at_object(struct dl_phdr_info* object, size_t, void* given) {
  auto& search = *static_cast<BuildIdSearch*>(given);
  bool is_it = false;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = object->dlpi_phdr[i];
    const uintptr_t begin = object->dlpi_addr + part.p_vaddr;
    is_it = is_it || (part.p_type == PT_LOAD && search.address >= begin &&
                      search.address < begin + part.p_memsz);
  }
  if (!is_it) return 0;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = object->dlpi_phdr[i];
    if (part.p_type == PT_NOTE && search.found == "unknown")
      look_through_notes(reinterpret_cast<const unsigned char*>(object->dlpi_addr + part.p_vaddr),
                         part.p_memsz, search.found);
  }
  return 1;
}

}  // namespace

std::string build_id(const void* address) {
  BuildIdSearch search{reinterpret_cast<uintptr_t>(address)};
  dl_iterate_phdr(look_at_object, &search);
  return search.found;
}

}  // namespace hearth
