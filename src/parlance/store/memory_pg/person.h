// SPDX-License-Identifier: Apache-2.0
// A process's cache of people's memories between searches: vectors, rows, word lookups. Blocking; the database's thread.
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

// The cache of one person; synchronized before each search, so writes of other processes are visible.
class Person {
 public:
  Person(MemoryServer& server, std::string user, const memory::VectorIndexSettings& index)
      : user(std::move(user)), source(server, this->user), vectors(source, index), keywords(source), rows(source) {}

  // False: the person has no memories. `embedder`: null for a search without vectors.
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

// The most recently used people, within limits::memory_people_….
class People {
 public:
  People(MemoryServer& server, const memory::VectorIndexSettings& index) : server_(server), index_(index) {}
  Person& of(const std::string& user);  // valid until the next call
  void forget_all() { people_.clear(); }
  bool take_new_graph();

 private:
  MemoryServer& server_;
  memory::VectorIndexSettings index_;
  std::list<Person> people_;  // most recently used first
};

}  // namespace parlance::store
