// SPDX-License-Identifier: Apache-2.0
#include "parlance/sqlite/failure.h"

#include <sqlite3.h>

namespace parlance::sqlite {

Failure sql_failure(sqlite3* handle, int code) {
  Failure failure{.fault = Fault::sql_error, .message = sqlite3_errmsg(handle)};
  failure.sqlite_code = code & 0xff;
  const int extended = sqlite3_extended_errcode(handle);
  failure.sqlite_extended_code = (extended & 0xff) == (code & 0xff) ? extended : code;
  // `near "FROM": syntax error` names the place itself.
  if (const int offset = sqlite3_error_offset(handle); offset >= 0 && !failure.message.starts_with("near \""))
    failure.offset = offset;
  return failure;
}

}  // namespace parlance::sqlite
