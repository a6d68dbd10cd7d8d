// A name of a table, view or column as SQL writes it: "my ""own"" table". Any thread.
#pragma once

#include <string>
#include <string_view>

namespace parlance::sqlite {

std::string quoted_name(std::string_view name);

}  // namespace parlance::sqlite
