// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/memory_pg/postgres_source.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "parlance/base/text.h"
#include "parlance/store/memory_pg/grams.h"
#include "parlance/store/memory_pg/limits.h"

namespace parlance::store {
namespace {

static_assert(std::endian::native == std::endian::little, "float rows are stored in the byte order of memory");

// Above every real number of changes.
constexpr std::int64_t far_away = std::int64_t{1} << 40;

std::string array_of(std::span<const std::int64_t> numbers) {
  pg::Array array;
  for (const std::int64_t number : numbers) array.add(number);
  return array.text();
}

MemorySource::Numbers numbers_in(const pg::Rows& rows) {
  MemorySource::Numbers numbers;
  for (std::size_t i = 0; i < rows.size(); ++i) numbers.push_back(rows.integer(i, 0));
  return numbers;
}

void take_small(const pg::Rows& rows, const std::function<void(const SmallVector&)>& take) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string bytes = rows.bytes(i, 3);
    take({.number = rows.integer(i, 0),
          .category = memory::category_from(rows.text(i, 1)).value_or(memory::Category::other),
          .scale = parse_number<float>(rows.text(i, 2)).value_or(0),
          .bytes = bytes});
  }
}

}  // namespace

std::string own_gram(std::int64_t person, std::string_view gram) { return std::to_string(person) + ':' + std::string(gram); }

NumberedEntry memory_at(const pg::Rows& rows, std::size_t row) {
  const auto text = [&](std::size_t column) { return std::string(rows.text(row, column)); };
  return {
      .number = rows.integer(row, 0),
      .entry = {.id = text(1),
                .text = text(2),
                .category = memory::category_from(rows.text(row, 3)).value_or(memory::Category::other),
                .importance = parse_number<double>(rows.text(row, 4)).value_or(0.7),
                .source = {.kind = text(5), .conversation = text(6), .event = static_cast<std::uint64_t>(rows.integer(row, 7))},
                .created_at = text(8),
                .updated_at = text(9)}};
}

Result<void> PostgresSource::refresh() {
  PARLANCE_TRY(rows, server_.read({.sql = "SELECT number, last_change, (SELECT min(change) FROM memory_changes AS c "
                                          "WHERE c.user_id = u.user_id) FROM memory_users AS u WHERE user_id = $1",
                                   .parameters = {user_}}));
  const std::int64_t person = rows.empty() ? 0 : rows.integer(0, 0);
  if (std::exchange(person_, person) != person) changes_before_ += far_away;
  changes_ = {.first = changes_before_, .last = changes_before_};
  if (rows.empty()) return {};
  changes_.first += rows.integer(0, 2);
  changes_.last += rows.integer(0, 1);
  return {};
}

Result<MemorySource::Numbers> PostgresSource::numbers(pg::Statement statement) {
  PARLANCE_TRY(rows, server_.read(std::move(statement)));
  return numbers_in(rows);
}

// nullopt: no result is possible.
std::optional<pg::Statement> PostgresSource::statement_for(const WordsWanted& wanted, Category category,
                                                           std::size_t limit) const {
  pg::Statement statement{.sql = "SELECT number FROM memories WHERE user_id = $1", .parameters = {user_}};
  const auto given = [&](std::string value) {
    statement.parameters.emplace_back(std::move(value));
    return "$" + std::to_string(statement.parameters.size());
  };
  if (category) statement.sql += " AND category = " + given(std::string(to_string(*category)));
  if (!wanted.begins.empty()) {
    pg::Array array;
    array.add(own_gram(person_, gram_of_beginning(wanted.begins)));
    statement.sql += " AND grams && " + given(array.text()) + "::text[]";
  }
  for (const auto& phrases : wanted.groups) {
    pg::Array any;  // phrases with a single gram
    std::string either;
    const auto add = [&](const char* how, const pg::Array& grams) {
      either += (either.empty() ? "" : " OR ") + ("grams " + std::string(how)) + " " + given(grams.text()) + "::text[]";
    };
    for (const std::string& phrase : phrases) {
      const std::vector<std::string> grams = grams_of_phrase(phrase);
      if (grams.empty()) continue;
      pg::Array all;
      for (const std::string& gram : grams) (grams.size() == 1 ? any : all).add(own_gram(person_, gram));
      if (!all.empty()) add("@>", all);
    }
    if (!any.empty()) add("&&", any);
    if (either.empty()) return std::nullopt;
    statement.sql += " AND (" + either + ")";
  }
  // "+ 0" prevents the plan of a backward walk through all rows of the person with a check of each row's grams.
  statement.sql += " ORDER BY number + 0 DESC LIMIT " + std::to_string(limit);
  return statement;
}

Result<std::vector<MemorySource::Numbers>> PostgresSource::look_up(std::span<const WordsWanted> wanted, Category category,
                                                                   std::size_t limit) {
  std::vector<pg::Statement> statements;
  std::vector<std::size_t> asked;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    auto statement = statement_for(wanted[i], category, limit);
    if (!statement) continue;
    statements.push_back(*std::move(statement));
    asked.push_back(i);
  }
  std::vector<Numbers> all(wanted.size());
  if (statements.empty()) return all;
  PARLANCE_TRY(rows, server_.read(statements));
  for (std::size_t i = 0; i < asked.size(); ++i) all[asked[i]] = numbers_in(rows[i]);
  return all;
}

Result<std::vector<NumberedEntry>> PostgresSource::rows(std::span<const std::int64_t> numbers) {
  PARLANCE_TRY(
      rows, server_.read({.sql = "SELECT " MEMORY_PG_COLUMNS " FROM memories WHERE user_id = $1 AND number = ANY($2::bigint[])",
                          .parameters = {user_, array_of(numbers)}}));
  std::vector<NumberedEntry> all;
  for (std::size_t i = 0; i < rows.size(); ++i) all.push_back(memory_at(rows, i));
  return all;
}

Result<MemorySource::Numbers> PostgresSource::changed_after(std::int64_t change) {
  return numbers({.sql = "SELECT DISTINCT memory FROM memory_changes WHERE user_id = $1 AND change > $2",
                  .parameters = {user_, change - changes_before_}});
}

Result<std::int64_t> PostgresSource::embedder_number(const memory::EmbedderInfo& embedder) {
  PARLANCE_TRY(found, numbers({.sql = "SELECT number FROM memory_embedders WHERE id = $1 AND dimension = $2",
                               .parameters = {embedder.id, embedder.dimension}}));
  return found.empty() ? 0 : found.front();
}

Result<std::uint64_t> PostgresSource::count_vectors(const memory::EmbedderInfo& embedder) {
  PARLANCE_TRY(found, numbers({.sql = "SELECT count(*) FROM memory_vectors WHERE user_id = $3 AND embedder = "
                                      "(SELECT number FROM memory_embedders WHERE id = $1 AND dimension = $2)",
                               .parameters = {embedder.id, embedder.dimension, user_}}));
  return static_cast<std::uint64_t>(found.front());
}

Result<void> PostgresSource::each_vector(std::int64_t embedder, const std::function<void(const SmallVector&)>& take) {
  for (std::int64_t last = 0;;) {
    PARLANCE_TRY(rows, server_.read({.sql = "SELECT memory, category, scale, bytes FROM memory_vectors WHERE embedder = $1 AND "
                                            "user_id = $2 AND memory > $3 ORDER BY memory LIMIT $4",
                                     .parameters = {embedder, user_, last, limits::memory_vectors_read}}));
    take_small(rows, take);
    if (rows.size() < limits::memory_vectors_read) return {};
    last = rows.integer(rows.size() - 1, 0);
  }
}

Result<void> PostgresSource::vectors(std::int64_t embedder, std::span<const std::int64_t> numbers,
                                     const std::function<void(const SmallVector&)>& take) {
  for (std::size_t begin = 0; begin < numbers.size(); begin += limits::memory_vectors_read) {
    const auto some = numbers.subspan(begin, std::min(limits::memory_vectors_read, numbers.size() - begin));
    PARLANCE_TRY(rows, server_.read({.sql = "SELECT memory, category, scale, bytes FROM memory_vectors WHERE embedder = $1 AND "
                                            "user_id = $2 AND memory = ANY($3::bigint[])",
                                     .parameters = {embedder, user_, array_of(some)}}));
    take_small(rows, take);
  }
  return {};
}

// Filters by person too: a number of another person is unknown to the search.
Result<std::vector<ExactVector>> PostgresSource::exact_vectors(std::int64_t embedder, std::size_t dimension,
                                                               std::span<const std::int64_t> numbers) {
  PARLANCE_TRY(rows,
               server_.read({.sql = "SELECT memory, floats FROM memory_exact WHERE embedder = $1 AND memory = ANY($2::bigint[])",
                             .parameters = {embedder, array_of(numbers)}}));
  std::vector<ExactVector> all;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string bytes = rows.bytes(i, 1);
    if (bytes.size() != dimension * sizeof(float)) continue;
    memory::Vector exact(dimension);
    std::memcpy(exact.data(), bytes.data(), bytes.size());
    all.push_back({.number = rows.integer(i, 0), .vector = std::move(exact)});
  }
  return all;
}

}  // namespace parlance::store
