// SPDX-License-Identifier: Apache-2.0
#include "tests/peers/agents/agents_page.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "parlance/base/text.h"

namespace parlance::test {
namespace {

constexpr const char* page = PARLANCE_SOURCE_DIR "/docs/agents.md";

using Row = std::vector<std::string>;

// The cells between the bars of a line.
Row cells_of(std::string_view line) {
  Row cells;
  for (const std::string_view cell : split(line.substr(1, line.size() - 2), '|')) cells.emplace_back(trim(cell));
  return cells;
}

std::string line_of(const Row& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) line += " " + cell + " |";
  return line + "\n";
}

// The table with the column of this agent replaced; rows keep their order, new steps come last.
std::string with_column(std::string_view text, const std::string& agent, const std::vector<StepResult>& results) {
  std::vector<Row> rows;
  for (const std::string_view line : split(text, '\n'))
    if (line.starts_with("|") && !line.starts_with("| ---")) rows.push_back(cells_of(line));
  if (rows.empty()) rows.push_back({"step"});
  Row& head = rows.front();
  const auto found = std::ranges::find(head, agent);
  const auto column = static_cast<std::size_t>(found - head.begin());
  if (found == head.end()) head.push_back(agent);
  const std::size_t width = head.size();
  for (const StepResult& result : results) {
    auto row = std::ranges::find_if(rows, [&](const Row& cells) { return cells.front() == result.step; });
    if (row == rows.end()) row = rows.insert(rows.end(), Row{result.step});
    row->resize(width);
    (*row)[column] = result.cell;
  }
  std::string table = "\n" + line_of(rows.front()) + line_of(Row(width, "---"));
  for (std::size_t i = 1; i < rows.size(); ++i) {
    rows[i].resize(width);
    table += line_of(rows[i]);
  }
  return table + "\n";
}

std::string differences(const std::string& version, const std::vector<StepResult>& results) {
  std::string text = "\n" + version + "\n\n";
  for (const StepResult& result : results)
    if (result.cell != "works") text += "- " + result.step + ", **" + result.cell + "**: " + result.words + "\n";
  return text + (text.ends_with("\n\n") ? "Every step works.\n\n" : "\n");
}

// The text between two marks of the page; npos without them.
std::pair<std::size_t, std::size_t> between(const std::string& text, const std::string& head, const std::string& tail) {
  const std::size_t at = text.find(head);
  const std::size_t end = at == std::string::npos ? at : text.find(tail, at);
  return {end == std::string::npos ? end : at + head.size(), end};
}

}  // namespace

void hold_page(const std::string& agent, const std::string& version, const std::vector<StepResult>& results) {
  std::ifstream in(page, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  const auto replace = [&](const std::string& head, const std::string& tail, const auto& made) {
    const auto [begin, end] = between(text, head, tail);
    ASSERT_NE(begin, std::string::npos) << page << " has no lines " << head << tail;
    const std::string now = text.substr(begin, end - begin);
    const std::string wanted = made(now);
    if (std::getenv("PARLANCE_WRITE_TABLES") == nullptr) EXPECT_EQ(now, wanted) << "run this test with PARLANCE_WRITE_TABLES=1";
    text.replace(begin, end - begin, wanted);
  };
  replace("<!-- steps: printed by tests/peers/agents -->\n", "<!-- end of steps -->",
          [&](const std::string& now) { return with_column(now, agent, results); });
  replace("<!-- " + agent + ": printed by tests/peers/agents -->\n", "<!-- end of " + agent + " -->",
          [&](const std::string&) { return differences(version, results); });
  if (std::getenv("PARLANCE_WRITE_TABLES") != nullptr) std::ofstream(page, std::ios::binary) << text;
}

}  // namespace parlance::test
