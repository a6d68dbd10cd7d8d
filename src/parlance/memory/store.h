// SPDX-License-Identifier: Apache-2.0
// Memories across conversations. Implementations in store/: a SQLite file of one person, or a PostgreSQL of a team. Called on
// the loop thread; implementations do the work elsewhere. Several processes may use a store at once.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/async/task.h"
#include "parlance/base/result.h"
#include "parlance/memory/limits.h"

namespace parlance::memory {

enum class Category : std::uint8_t { preference, decision, fact, entity, other };
std::string_view to_string(Category category);
std::optional<Category> category_from(std::string_view name);

// Origin of a memory, for people.
struct Source {
  std::string kind = "manual";  // manual, agent, import, …
  std::string conversation{};
  std::uint64_t event = 0;  // seq in this conversation; 0: none.
  friend bool operator==(const Source&, const Source&) = default;
};

struct Entry {
  std::string id{};
  std::string text{};
  Category category = Category::other;
  double importance = 0.7;  // 0 to 1.
  Source source{};
  std::string created_at{};  // RFC 3339, UTC.
  std::string updated_at{};
  friend bool operator==(const Entry&, const Entry&) = default;
};

struct NewEntry {
  std::string text{};
  Category category = Category::other;
  double importance = 0.7;
  Source source{};
  // Only an import sets these: the values at the entry's origin. Empty: created here, now.
  std::string id{};
  std::string created_at{};
  std::string updated_at{};
};

struct Put {
  std::string id{};
  bool duplicate = false;  // An equal text existed (apart from case, blanks and punctuation); `id` is its entry.
  // Entries with almost the same meaning ("the port is 5432", "the port is 5433"). Nothing is merged: a person decides.
  std::vector<std::string> similar{};
};

struct Query {
  std::string text{};
  std::optional<Category> category{};
  std::size_t limit = 5;
  double min_score = 0.7;
};

struct Hit {
  Entry entry{};
  double score = 0;       // 0 to 1; calibrated so that 0.7 is a match for people.
  std::string matched{};  // Source of the match: "keyword", "vector", "both".
};

struct ListQuery {
  std::optional<Category> category{};
  std::string conversation{};  // Only memories of this conversation; empty: all.
  std::string before{};        // Page::next of the page before, or an entry's id; empty: start with the newest.
  std::size_t limit = 50;
  bool oldest_first = false;  // In this case `before` means after.
};

struct Page {
  std::vector<Entry> entries{};  // Newest first, unless requested otherwise.
  std::string next{};            // `before` of the next page; empty: this is the last page.
};

// Entries to forget: all set members must match. Without a set member, the call is an error, not everything.
struct Forget {
  std::string id{};
  std::string source_kind{};
  std::string conversation{};
};

struct Stats {
  std::uint64_t entries = 0;
  std::map<std::string, std::uint64_t> by_category{};
  std::uint64_t bytes = 0;         // Of the database.
  std::string embedder{};          // Id of the present embedder; empty: none was reachable yet.
  std::string embedder_trouble{};  // Reason of its failure, during which searches use words only; empty: it works.
  std::uint64_t embedded = 0;      // Entries with a vector of it; all others are found by words until then.
  std::uint64_t index_bytes = 0;   // In memory.
  std::string index = "exact";     // Exact or approximate.
  // Of an approximate index, measured on these entries: the share of the true ten nearest that it finds.
  std::optional<double> recall{};
};

// Every call first names the user of the memory: '' is the person of this machine, otherwise a user of the team. No call finds,
// shows or changes memories of another user. Every call: disconnected, if the store's database cannot be opened or reached; the
// next call tries again.
class Store {
 public:
  virtual ~Store() = default;
  // Remembers all entries or, after an error, none. The result is committed. A vector that the embedder cannot make now is made
  // later. invalid_params: a text is empty or longer than limits::memory_text_bytes (the message names it).
  virtual Task<Result<std::vector<Put>>> put(std::string user, std::vector<NewEntry> entries) = 0;
  virtual Task<Result<Entry>> get(std::string user, std::string id) = 0;  // not_found
  virtual Task<Result<Page>> list(std::string user, ListQuery query) = 0;
  // Best first; filters apply before the limit. invalid_params: the query is empty.
  virtual Task<Result<std::vector<Hit>>> search(std::string user, Query query) = 0;
  // Number of deleted entries, with their vectors and keywords. invalid_params: no member is set.
  virtual Task<Result<std::uint64_t>> forget(std::string user, Forget what) = 0;
  virtual Task<Result<Stats>> stats(std::string user) = 0;
};

}  // namespace parlance::memory
