#include "sqlite/quoted_name.h"

namespace parlance::sqlite {

std::string quoted_name(std::string_view name) {
  std::string quoted = "\"";
  for (const char c : name) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace parlance::sqlite
