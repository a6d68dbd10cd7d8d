// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/terminal/table_text.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "parlance/base/text.h"
#include "parlance/face/terminal/code_points.h"
#include "parlance/face/terminal/inline_text.h"
#include "parlance/face/terminal/style.h"
#include "parlance/face/terminal/word_wrap.h"

namespace parlance::face {
namespace {

constexpr std::string_view separator = " │ ";
constexpr std::size_t separator_columns = 3;
constexpr std::size_t least_columns = 4;  // a narrower column cuts each word

enum class Align { left, centre, right };
using Cells = std::vector<std::string>;
using Cell = std::vector<std::string>;  // its lines

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
Align align_of(std::string_view ruler) {
  if (!ruler.ends_with(':')) return Align::left;
  return ruler.starts_with(':') ? Align::centre : Align::right;
}
std::size_t columns_of(std::string_view line) {
  std::size_t sum = 0;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t escape = std::min(line.find('\x1b', at), line.size());
    sum += columns(line.substr(at, escape - at));
    at = escape == line.size() ? escape : line.find('m', escape) + 1;
  }
  return sum;
}
// Markdown breaks a line in a cell by `<br>` only.
Cell lines_of(std::string_view cell, bool colours, Styles base, std::size_t width) {
  Cell lines;
  for (std::size_t at = 0; at <= cell.size();) {
    std::size_t end = std::min(cell.find("<br", at), cell.size());
    std::size_t next = end == cell.size() ? end + 1 : cell.find('>', end) + 1;
    if (next == 0 ||
        (end != cell.size() && trim(cell.substr(end + 3, next - end - 4)).find_first_not_of('/') != std::string::npos)) {
      end = cell.size();
      next = end + 1;
    }
    for (std::string& line : wrapped_lines(inline_text(trim(cell.substr(at, end - at)), colours, base), width))
      lines.push_back(std::move(line));
    at = next;
  }
  return lines;
}

struct Row {
  bool head = false;
  bool ruler = false;
  Cells written{};
  std::vector<Cell> cells{};
};

class Table {
 public:
  Table(const std::vector<std::string>& rows, bool colours) : colours_(colours) {
    for (const std::string& row : rows) rows_.push_back({.written = cells_of(row)});
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      rows_[i].ruler = is_ruler(rows_[i].written);
      if (rows_[i].ruler && i > 0) rows_[i - 1].head = true;
      if (rows_[i].ruler && aligns_.empty())
        for (const std::string& cell : rows_[i].written) aligns_.push_back(align_of(cell));
    }
  }
  std::vector<std::string> lines(std::size_t width) {
    lay_out({});
    if (width != 0 && shrink(width)) lay_out(std::exchange(widths_, {}));
    std::vector<std::string> out;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (rows_[i].ruler) out.push_back(ruler());
      else put_row(out, rows_[i]);
      // Rows of several lines need a line between them.
      const bool last = i + 1 == rows_.size() || rows_[i].ruler || rows_[i + 1].ruler;
      if (broken_ && !last) out.push_back(inked(ruler(), Ink::dim, colours_));
    }
    return out;
  }

 private:
  // Breaks the lines of each cell at the limit of its column, and measures the columns.
  void lay_out(const std::vector<std::size_t>& limits) {
    widths_.clear();
    for (Row& row : rows_) {
      row.cells.clear();
      if (row.ruler) continue;
      widths_.resize(std::max(widths_.size(), row.written.size()));
      for (std::size_t i = 0; i < row.written.size(); ++i) {
        row.cells.push_back(
            lines_of(row.written[i], colours_, row.head ? styles::bold : Styles{0}, limits.empty() ? 0 : limits[i]));
        for (const std::string& line : row.cells.back()) widths_[i] = std::max(widths_[i], columns_of(line));
        broken_ = broken_ || row.cells.back().size() > 1;
      }
    }
  }
  // Lowers the widest columns until the table fits.
  bool shrink(std::size_t width) {
    const auto total = [&] {
      std::size_t sum = separator_columns * (widths_.size() - 1);
      for (const std::size_t column : widths_) sum += column;
      return sum;
    };
    bool shrunk = false;
    while (!widths_.empty() && total() > width) {
      const auto widest = std::ranges::max_element(widths_);
      if (*widest <= least_columns) break;
      --*widest;
      shrunk = true;
    }
    return shrunk;
  }
  std::string ruler() const {
    std::string line;
    for (std::size_t i = 0; i < widths_.size(); ++i) {
      if (i > 0) line += "─┼─";
      for (std::size_t n = 0; n < widths_[i]; ++n) line += "─";
    }
    return line;
  }
  void put_row(std::vector<std::string>& out, const Row& row) const {
    std::size_t height = 0;
    for (const Cell& cell : row.cells) height = std::max(height, cell.size());
    for (std::size_t n = 0; n < height; ++n) {
      std::string line;
      for (std::size_t i = 0; i < row.cells.size(); ++i) {
        if (i > 0) line += separator;
        const std::string_view text = n < row.cells[i].size() ? std::string_view(row.cells[i][n]) : std::string_view();
        const std::size_t blanks = widths_[i] - columns_of(text);
        const Align align = i < aligns_.size() ? aligns_[i] : Align::left;
        const std::size_t before = align == Align::left ? 0 : align == Align::right ? blanks : blanks / 2;
        const bool last = i + 1 == row.cells.size();
        if (!last || !text.empty()) line.append(before, ' ');
        line += text;
        if (!last) line.append(blanks - before, ' ');
      }
      out.push_back(std::move(line));
    }
  }

  bool colours_;
  std::vector<Row> rows_;
  std::vector<Align> aligns_;
  std::vector<std::size_t> widths_;
  bool broken_ = false;  // a cell has several lines
};

}  // namespace

std::vector<std::string> table_lines(const std::vector<std::string>& rows, bool colours, std::size_t width) {
  return Table(rows, colours).lines(width);
}

}  // namespace parlance::face
