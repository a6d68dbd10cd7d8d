// SPDX-License-Identifier: Apache-2.0
// Functions of glibc 2.35 and 2.36 for the static libraries of GCC 12. With these definitions, self-contained programs run on
// glibc 2.34. Hidden visibility: libraries loaded at run time use the system's functions. Any thread.
#include <cstdint>
#include <dlfcn.h>
#include <link.h>
#include <span>
#include <sys/random.h>

#include "parlance/base/check.h"

namespace {

struct Search {
  std::uintptr_t address;
  dl_find_object* found;
};

// Finds the object with the address in its segments, and the object's table for unwinding.
int compare_object(dl_phdr_info* object, std::size_t, void* data) {
  auto& [address, found] = *static_cast<Search*>(data);
  bool contains = false;
  for (const ElfW(Phdr) & part : std::span(object->dlpi_phdr, object->dlpi_phnum)) {
    const std::uintptr_t begin = object->dlpi_addr + part.p_vaddr;
    if (part.p_type == PT_GNU_EH_FRAME) found->dlfo_eh_frame = reinterpret_cast<void*>(begin);
    if (part.p_type != PT_LOAD || address < begin || address >= begin + part.p_memsz) continue;
    contains = true;
    found->dlfo_map_start = reinterpret_cast<void*>(begin);
    found->dlfo_map_end = reinterpret_cast<void*>(begin + part.p_memsz);
  }
  return contains && found->dlfo_eh_frame != nullptr ? 1 : 0;
}

}  // namespace

// For the unwinder of libgcc. The list of objects makes each exception slower than with glibc 2.35; exceptions are rare here.
extern "C" [[gnu::visibility("hidden")]] int _dl_find_object(void* address, dl_find_object* found) noexcept {
  *found = {};
  Search search{.address = reinterpret_cast<std::uintptr_t>(address), .found = found};
  return ::dl_iterate_phdr(&compare_object, &search) != 0 ? 0 : -1;
}

// For std::random_device.
extern "C" [[gnu::visibility("hidden")]] std::uint32_t arc4random() noexcept {
  std::uint32_t value = 0;
  PARLANCE_CHECK(::getrandom(&value, sizeof value, 0) == sizeof value, "the kernel has random numbers");
  return value;
}
