// SPDX-License-Identifier: Apache-2.0
// The statements of transactions that change memories. Pure; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "parlance/memory/store.h"
#include "parlance/pg/statement.h"
#include "parlance/store/memory/embedded.h"

namespace parlance::store {

// The first statement of every transaction that changes a person's memories.
pg::Statement turn_of(const std::string& user);

// Inserts the missing entries. Rows: their ids.
pg::Statement insert_entries(const std::string& user, std::int64_t person, const std::vector<memory::Entry>& entries);
// Rows: the id of each entry in order, its own or that of an earlier equal entry.
pg::Statement ids_of(const std::string& user, const std::vector<memory::Entry>& entries);

// Memories with a new vector, of any person.
struct Owned {
  std::string user{};
  std::string id{};
  std::string text{};  // the vector applies only to this text
};
// First statement: ensures the embedder's number. Second: rows with the ids of memories without an earlier vector.
std::vector<pg::Statement> insert_vectors(const std::vector<Owned>& owned, const Embedded& embedded);

// Last statement: logs the changes for indexes.
pg::Statement log_changes(const std::vector<Owned>& owned);

// Deletes the selected entries and their vectors, and logs the change. Rows: their number.
pg::Statement delete_entries(const std::string& user, const memory::Forget& what);

}  // namespace parlance::store
