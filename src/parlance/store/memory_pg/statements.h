// SPDX-License-Identifier: Apache-2.0
// What is sent to change memories, as statements of one transaction. Pure; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "parlance/memory/store.h"
#include "parlance/pg/statement.h"
#include "parlance/store/memory/embedded.h"

namespace parlance::store {

// The first of every transaction that changes a person's memories.
pg::Statement turn_of(const std::string& user);

// Those of them that are not there yet. Rows: the ids of these.
pg::Statement insert_entries(const std::string& user, std::int64_t person, const std::vector<memory::Entry>& entries);
// Rows: which id each of them has now, its own or that of the one that was there, in their order.
pg::Statement ids_of(const std::string& user, const std::vector<memory::Entry>& entries);

// Memories whose vectors came, whoever they are of.
struct Owned {
  std::string user{};
  std::string id{};
  std::string text{};  // it counts only if it is still that
};
// The first of them: the embedder has a number. The second: rows, the ids of those that had no vector yet.
std::vector<pg::Statement> insert_vectors(const std::vector<Owned>& owned, const Embedded& embedded);

// The last: whoever keeps an index hears of these.
pg::Statement log_changes(const std::vector<Owned>& owned);

// All that `what` says, with their vectors, and the log of it. Rows: how many.
pg::Statement delete_entries(const std::string& user, const memory::Forget& what);

}  // namespace parlance::store
