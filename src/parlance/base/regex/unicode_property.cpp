// SPDX-License-Identifier: Apache-2.0
#include "parlance/base/regex/unicode_property.h"

#include <algorithm>
#include <array>

#include "parlance/base/regex/unicode_tables.h"

namespace parlance::regex {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 39> long_names{{
    {"Letter", "L"},
    {"Cased_Letter", "LC"},
    {"Uppercase_Letter", "Lu"},
    {"Lowercase_Letter", "Ll"},
    {"Titlecase_Letter", "Lt"},
    {"Modifier_Letter", "Lm"},
    {"Other_Letter", "Lo"},
    {"Mark", "M"},
    {"Combining_Mark", "M"},
    {"Nonspacing_Mark", "Mn"},
    {"Spacing_Mark", "Mc"},
    {"Enclosing_Mark", "Me"},
    {"Number", "N"},
    {"Decimal_Number", "Nd"},
    {"digit", "Nd"},
    {"Letter_Number", "Nl"},
    {"Other_Number", "No"},
    {"Punctuation", "P"},
    {"punct", "P"},
    {"Connector_Punctuation", "Pc"},
    {"Dash_Punctuation", "Pd"},
    {"Open_Punctuation", "Ps"},
    {"Close_Punctuation", "Pe"},
    {"Initial_Punctuation", "Pi"},
    {"Final_Punctuation", "Pf"},
    {"Other_Punctuation", "Po"},
    {"Symbol", "S"},
    {"Math_Symbol", "Sm"},
    {"Currency_Symbol", "Sc"},
    {"Modifier_Symbol", "Sk"},
    {"Other_Symbol", "So"},
    {"Separator", "Z"},
    {"Space_Separator", "Zs"},
    {"Line_Separator", "Zl"},
    {"Paragraph_Separator", "Zp"},
    {"Other", "C"},
    {"Control", "Cc"},
    {"cntrl", "Cc"},
    {"Format", "Cf"},
}};

void add(Ranges& ranges, const UnicodeTable& table) {
  const auto numbers = unicode_numbers().subspan(table.first, std::size_t{table.pairs} * 2);
  char32_t end = 0;
  for (std::size_t i = 0; i < numbers.size(); i += 2) {
    const char32_t from = end + numbers[i];
    end = from + numbers[i + 1];
    ranges.emplace_back(from, end);
  }
}

Ranges assigned() {
  Ranges ranges;
  for (const UnicodeTable& table : unicode_tables())
    if (table.kind == UnicodeKind::category) add(ranges, table);
  return ranges;
}

// "L" is all categories that begin with L; "LC" is Lu, Ll and Lt.
Ranges category(std::string_view name) {
  const auto* const known = std::ranges::find(long_names, name, &std::pair<std::string_view, std::string_view>::first);
  if (known != long_names.end()) name = known->second;
  if (name == "Cn" || name == "Unassigned") return complement(assigned());
  Ranges ranges = name == "C" ? complement(assigned()) : Ranges{};
  for (const UnicodeTable& table : unicode_tables()) {
    if (table.kind != UnicodeKind::category) continue;
    const bool is_cased = name == "LC" && (table.name == "Lu" || table.name == "Ll" || table.name == "Lt");
    if (table.name == name || is_cased || (name.size() == 1 && table.name.starts_with(name))) add(ranges, table);
  }
  return ranges;
}

Ranges of_kind(UnicodeKind kind, std::string_view name) {
  Ranges ranges;
  for (const UnicodeTable& table : unicode_tables())
    if (table.kind == kind && table.name == name) add(ranges, table);
  return ranges;
}

Ranges alone(std::string_view name) {
  if (name == "Any") return {{0, last_code_point}};
  if (name == "ASCII") return {{0, 0x7F}};
  if (name == "Assigned") return assigned();
  Ranges ranges = category(name);
  return ranges.empty() ? of_kind(UnicodeKind::property, name) : ranges;
}

}  // namespace

std::optional<Ranges> unicode_property(std::string_view name) {
  Ranges ranges;
  const std::size_t equals = name.find('=');
  const std::string_view value = equals == std::string_view::npos ? std::string_view() : name.substr(equals + 1);
  const std::string_view of = name.substr(0, equals);
  if (equals == std::string_view::npos) ranges = alone(name);
  else if (of == "General_Category" || of == "gc") ranges = category(value);
  else if (of == "Script" || of == "sc") ranges = of_kind(UnicodeKind::script, value);
  if (ranges.empty()) return std::nullopt;
  return complement(complement(std::move(ranges)));  // sorted and joined
}

}  // namespace parlance::regex
