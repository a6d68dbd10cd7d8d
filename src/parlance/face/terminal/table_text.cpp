// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/terminal/table_text.h"

#include <algorithm>
#include <string_view>

#include "parlance/base/text.h"
#include "parlance/face/terminal/code_points.h"
#include "parlance/face/terminal/style.h"

namespace parlance::face {
namespace {

using Cells = std::vector<std::string>;

Cells cells_of(std::string_view row) {
  row = trim(row).substr(1);
  Cells cells(1);
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (row[i] == '\\' && i + 1 < row.size() && row[i + 1] == '|') cells.back() += row[++i];
    else if (row[i] == '|') cells.emplace_back();
    else cells.back() += row[i];
  }
  if (cells.size() > 1 && trim(cells.back()).empty()) cells.pop_back();
  for (std::string& cell : cells) cell = std::string(trim(cell));
  return cells;
}
bool is_ruler(const Cells& cells) {
  return std::ranges::all_of(cells, [](const std::string& cell) {
    return !cell.empty() && cell.find_first_not_of(":-") == std::string::npos && cell.contains('-');
  });
}
std::vector<std::size_t> widths_of(const std::vector<Cells>& rows) {
  std::vector<std::size_t> widths;
  for (const Cells& row : rows) {
    if (is_ruler(row)) continue;
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], columns(row[i]));
  }
  return widths;
}
std::string ruler(const std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    if (i > 0) line += "─┼─";
    for (std::size_t n = 0; n < widths[i]; ++n) line += "─";
  }
  return line;
}
std::string line_of(const Cells& row, const std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (i > 0) line += " │ ";
    line += row[i];
    if (i + 1 < row.size()) line.append(widths[i] - columns(row[i]), ' ');
  }
  return line;
}

}  // namespace

std::string table_text(const std::vector<std::string>& rows, bool colours) {
  std::vector<Cells> cells;
  cells.reserve(rows.size());
  for (const std::string& row : rows) cells.push_back(cells_of(row));
  const auto widths = widths_of(cells);
  std::string out;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const bool head = i + 1 < cells.size() && is_ruler(cells[i + 1]);
    const std::string line = is_ruler(cells[i]) ? ruler(widths) : line_of(cells[i], widths);
    out += (head ? inked(line, Ink::bold, colours) : line) + "\n";
  }
  return out;
}

}  // namespace parlance::face
