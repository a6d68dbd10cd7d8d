// SPDX-License-Identifier: Apache-2.0
// Joins commits of several conversations into a transaction and a pipeline: first a fence for each, then their changes.
// Values in, statements out; no I/O. One thread at a time.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/hub/log/store.h"
#include "parlance/pg/statement.h"
#include "parlance/store/hub_pg/held.h"
#include "parlance/store/hub_pg/search_parts.h"

namespace parlance::store {

// The conversation of a commit; empty: none, for example for a revoked rule.
const std::string& conversation_of(const hub::Commit& change);

// Whether the commit changes rules or limits, the settings of all conversations.
bool changes_settings(const hub::Commit& change);

// Whether the commit can follow its conversation's last commit. Errors: internal (a gap in the log, two conversations),
// not_found.
Result<void> check_commit(const hub::Commit& change, const HeldConversations& held);

struct GroupStatements {
  std::vector<pg::Statement> statements{};  // BEGIN … COMMIT
  std::size_t created = 0;                  // index of the statement that returns ids and numbers of new conversations; 0: none
};

// Input: checked commits, at most a single commit for each conversation. `hub`: this hub's row in `hubs`.
GroupStatements statements_of(std::span<const hub::CommitPtr> group, const HeldConversations& held, const std::string& hub,
                              const EndedParts& ended);

// Updates `held` after the commit. `number`: of a new conversation.
void note_committed(const hub::Commit& change, std::int64_t number, HeldConversations& held);

}  // namespace parlance::store
