// SPDX-License-Identifier: Apache-2.0
#include "process_memory.h"

#include <cstdint>
#include <link.h>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

namespace parlance::app {
namespace {

// The memory of a large result returns to the system after sending, not at the end of the program. The memory of row pages stays:
// pages follow each other, and a fresh page of memory costs more than its rows.
constexpr int large_block_bytes = 1 << 20;
constexpr int kept_bytes = 4 << 20;

#if defined(NDEBUG)
constexpr unsigned kept = PF_W;
#else
constexpr unsigned kept = PF_W | PF_X;  // a debugger's breakpoints are in the code
#endif

// Memory used only by the start, more than a megabyte: a library's tables of names and relocations, the parsing of flags. These
// are unmodified pages of files; the system reloads needed pages.
int give_back_files(dl_phdr_info* object, std::size_t, void*) {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = object->dlpi_phdr[i];
    if (part.p_type != PT_LOAD || (part.p_flags & kept) != 0) continue;
    const std::uintptr_t begin = (object->dlpi_addr + part.p_vaddr + page - 1) / page * page;
    const std::uintptr_t end = (object->dlpi_addr + part.p_vaddr + part.p_filesz) / page * page;
    if (begin < end) static_cast<void>(::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED));
  }
  return 0;
}

}  // namespace

void settle_memory() {
  ::mallopt(M_MMAP_THRESHOLD, large_block_bytes);
  ::mallopt(M_TRIM_THRESHOLD, kept_bytes);
  ::mallopt(M_ARENA_MAX, 1);
  ::dl_iterate_phdr(&give_back_files, nullptr);
}

}  // namespace parlance::app
