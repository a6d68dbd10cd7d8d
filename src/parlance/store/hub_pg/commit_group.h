// SPDX-License-Identifier: Apache-2.0
// Commits of many conversations as one transaction, in one pipeline: a fence for each, then what they change. Values in, statements out; no
// I/O. One thread at a time.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/hub/log/store.h"
#include "parlance/pg/statement.h"
#include "parlance/store/hub_pg/held.h"

namespace parlance::store {

// The conversation that a commit changes; empty: none, as when a rule is revoked.
const std::string& conversation_of(const hub::Commit& change);

// Rules or limits, which hold in all conversations.
bool changes_standing(const hub::Commit& change);

// Whether a commit can be the next of its conversation. Errors: internal (a gap in the log, two conversations), not_found.
Result<void> check_commit(const hub::Commit& change, const HeldConversations& held);

struct GroupStatements {
  std::vector<pg::Statement> statements{};  // BEGIN … COMMIT
  std::size_t created = 0;                  // index of what gives id and number of new conversations; 0: there are none
};

// Checked commits, of each conversation at most one. `hub`: our row in `hubs`.
GroupStatements statements_of(std::span<const hub::CommitPtr> group, const HeldConversations& held, const std::string& hub);

// What is known once it has happened. `number`: of a new conversation.
void note_committed(const hub::Commit& change, std::int64_t number, HeldConversations& held);

}  // namespace parlance::store
