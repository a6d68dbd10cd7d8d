// SPDX-License-Identifier: Apache-2.0
// What an agent remembers across conversations. Implementations in store/: a SQLite file of one person, or a PostgreSQL that a team
// shares. Called on the loop thread; implementations do the work elsewhere. Several processes may use one store at once.
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

// Where a memory came from, so that a person can ask why it is there.
struct Source {
  std::string kind = "manual";  // manual, agent, import, …
  std::string conversation{};
  std::uint64_t event = 0;  // seq in that conversation; 0: none
  friend bool operator==(const Source&, const Source&) = default;
};

struct Entry {
  std::string id{};
  std::string text{};
  Category category = Category::other;
  double importance = 0.7;  // 0 to 1
  Source source{};
  std::string created_at{};  // RFC 3339, UTC
  std::string updated_at{};
  friend bool operator==(const Entry&, const Entry&) = default;
};

struct NewEntry {
  std::string text{};
  Category category = Category::other;
  double importance = 0.7;
  Source source{};
  // Only an import gives these: as they were where the entry comes from. "": made here, now.
  std::string id{};
  std::string created_at{};
  std::string updated_at{};
};

struct Put {
  std::string id{};
  bool duplicate = false;  // the same text was there (but for case, blanks and punctuation); `id` is that entry's
  // Others that say nearly the same ("the port is 5432", "the port is 5433"). Nothing is merged: a person decides.
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
  double score = 0;       // 0 to 1; calibrated so that 0.7 is what a person would call a match
  std::string matched{};  // what it was found by: "keyword", "vector", "both"
};

struct ListQuery {
  std::optional<Category> category{};
  std::string conversation{};  // only what this conversation made; "": all
  std::string before{};        // Page::next of the page before, or an entry's id; "": from the newest
  std::size_t limit = 50;
  bool oldest_first = false;  // then `before` means behind
};

struct Page {
  std::vector<Entry> entries{};  // newest first, unless it was asked for otherwise
  std::string next{};            // `before` of the next page; "": this was the last
};

// What to forget: entries for which all that is set holds. Nothing set is an error, not everything.
struct Forget {
  std::string id{};
  std::string source_kind{};
  std::string conversation{};
};

struct Stats {
  std::uint64_t entries = 0;
  std::map<std::string, std::uint64_t> by_category{};
  std::uint64_t bytes = 0;         // of the database
  std::string embedder{};          // id of the one in use; "": none could be reached yet
  std::string embedder_trouble{};  // why it does not answer now, and searches go by words alone; "": it does
  std::uint64_t embedded = 0;      // entries that have a vector of it; the others are found by their words until they have
  std::uint64_t index_bytes = 0;   // in memory
  std::string index = "exact";     // exact, or approximate
  std::optional<double> recall{};  // of an approximate index, measured on these entries: share of the true ten nearest it finds
};

// Every call says first whose memory is meant: "" is the person of this machine, any other the id of a user of the team. Nobody's call
// finds, tells or changes anything of another's.
// Every call: disconnected, when the store's database cannot be opened or reached; the next call tries again.
class Store {
 public:
  virtual ~Store() = default;
  // Remembers all of them or, at an error, none. What comes back was committed. A vector that the embedder could not make now is
  // made later. invalid_params: a text is empty or longer than limits::memory_text_bytes (which one, says the message).
  virtual Task<Result<std::vector<Put>>> put(std::string user, std::vector<NewEntry> entries) = 0;
  virtual Task<Result<Entry>> get(std::string user, std::string id) = 0;  // not_found
  virtual Task<Result<Page>> list(std::string user, ListQuery query) = 0;
  // Best first; the filters hold before the limit. invalid_params: the query is empty.
  virtual Task<Result<std::vector<Hit>>> search(std::string user, Query query) = 0;
  // How many went, with their vectors and keywords. invalid_params: nothing says what.
  virtual Task<Result<std::uint64_t>> forget(std::string user, Forget what) = 0;
  virtual Task<Result<Stats>> stats(std::string user) = 0;
};

}  // namespace parlance::memory
