// SPDX-License-Identifier: Apache-2.0
// A name of a table, view or column as SQL writes it, and a phrase as FTS5 does: "my ""own"" table". Any thread.
#pragma once

#include <string>
#include <string_view>

namespace parlance::sqlite {

std::string double_quoted(std::string_view text);

}  // namespace parlance::sqlite
