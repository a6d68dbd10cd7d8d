#include "parlance/pg/failure.h"

namespace parlance::pg {

Error error_of(const Failure& failure) {
  if (failure.unknown()) return {.code = Errc::disconnected, .message = "PostgreSQL: " + failure.message};
  const Errc code = is_passing(failure.sqlstate) ? Errc::disconnected : Errc::failed;
  return {.code = code, .message = "PostgreSQL: " + failure.message + " (" + failure.sqlstate + ")"};
}

bool is_passing(std::string_view sqlstate) {
  return sqlstate.starts_with("08") || sqlstate.starts_with("57P") || sqlstate.starts_with("53") || sqlstate == "25006" ||
         sqlstate.starts_with("58");
}

}  // namespace parlance::pg
