// SPDX-License-Identifier: Apache-2.0
// What a process keeps of people's memories between their searches: vectors, rows, and what the index of words told. Blocking; the database's thread.
#pragma once

#include <cstdint>
#include <list>
#include <string>
#include <utility>

#include "parlance/store/memory/memory_keywords.h"
#include "parlance/store/memory/memory_rows.h"
#include "parlance/store/memory/memory_vectors.h"
#include "parlance/store/memory_pg/postgres_source.h"

namespace parlance::store {

// Of one of them; brought to the state of the database before each search, so that what anybody else wrote is seen.
class Person {
 public:
  Person(MemoryServer& server, std::string user, const memory::VectorIndexSettings& index)
      : user(std::move(user)), source(server, this->user), vectors(source, index), keywords(source), rows(source) {}

  // False: nothing was ever stored for them. `embedder`: null, without vectors.
  Result<bool> sync(const memory::EmbedderInfo* embedder);

  const std::string user;
  PostgresSource source;
  MemoryVectors vectors;
  MemoryKeywords keywords;
  MemoryRows rows;

 private:
  Result<bool> update_words(const ChangesKept& changes);

  std::int64_t seen_change_ = 0;
};

// The last that were asked for, within limits::memory_people_….
class People {
 public:
  People(MemoryServer& server, const memory::VectorIndexSettings& index) : server_(server), index_(index) {}
  Person& of(const std::string& user);  // good until the next call
  void forget_all() { people_.clear(); }
  bool take_new_graph();

 private:
  MemoryServer& server_;
  memory::VectorIndexSettings index_;
  std::list<Person> people_;  // the last one first
};

}  // namespace parlance::store
