// SPDX-License-Identifier: Apache-2.0
#include "parlance/pg/pq_library.h"

#include <dlfcn.h>
#include <string>

namespace parlance::pg {
namespace {

Result<PqLibrary> load() {
  void* library = ::dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    return fail(Errc::failed, std::string("PostgreSQL needs libpq: ") + ::dlerror() +
                                  ". Install it: `apt-get install libpq5` (Debian, Ubuntu), `dnf install libpq` (Fedora)");
  PqLibrary pq{};
  std::string missing;
#define PARLANCE_PQ(name)                                                      \
  pq.name = reinterpret_cast<decltype(pq.name)>(::dlsym(library, "PQ" #name)); \
  if (pq.name == nullptr) missing = "PQ" #name;
  PARLANCE_PQ_FUNCTIONS(PARLANCE_PQ)
#undef PARLANCE_PQ
  if (!missing.empty()) return fail(Errc::failed, "libpq has no " + missing + ": version 14 or newer is needed");
  return pq;
}

}  // namespace

const Result<PqLibrary>& pq_library() {
  static const Result<PqLibrary> loaded = load();
  return loaded;
}

}  // namespace parlance::pg
