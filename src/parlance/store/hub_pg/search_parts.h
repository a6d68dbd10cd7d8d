// SPDX-License-Identifier: Apache-2.0
// The index of texts in PostgreSQL, like store/hub/search_rows.h: the end of a turn writes an index row, in the same transaction.
// The texts of a turn are in several commits, so the committer reads the earlier texts first. The committing thread writes, the
// reading thread searches.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/hub/log/store.h"
#include "parlance/pg/connection.h"
#include "parlance/pg/statement.h"

namespace parlance::store {

// The end of a turn: the texts of events first ≤ seq ≤ last.
struct EndedPart {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  std::string text{};
};
using EndedParts = std::map<std::string, EndedPart, std::less<>>;  // by conversation

// Reads the start of each turn that ends in these commits. Reads nothing if no turn ends. Errors: the server's.
pg::Outcome<EndedParts> ended_parts(pg::Connection& connection, std::span<const hub::CommitPtr> group);

// Statements of a commit after the insertion of its events.
void add_search_statements(const hub::Commit& change, const EndedParts& ended, std::vector<pg::Statement>& statements);

// Both read for hub::Store::parts_with: the logs of running turns, which are not indexed, and the indexed parts below `before`.
pg::Statement open_parts_statement();
pg::Statement parts_statement(const std::string& words, std::uint64_t before, std::size_t limit);

}  // namespace parlance::store
