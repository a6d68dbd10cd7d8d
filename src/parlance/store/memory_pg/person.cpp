// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/memory_pg/person.h"

#include <algorithm>
#include <iterator>

#include "parlance/memory/text/characters.h"
#include "parlance/store/memory_pg/limits.h"

namespace parlance::store {

// False: too many or unknown changes.
Result<bool> Person::update_words(const ChangesKept& changes) {
  if (changes.last < seen_change_ || seen_change_ + 1 < changes.first) return false;
  if (changes.last - seen_change_ > limits::memory_changes_applied) return false;
  PARLANCE_TRY(changed, source.changed_after(seen_change_));
  PARLANCE_TRY(there, source.rows(changed));
  for (const std::int64_t number : changed) keywords.went(number);
  for (const NumberedEntry& entry : there)
    keywords.came(entry.number, entry.entry.category, " " + memory::folded(entry.entry.text) + "  ");
  return true;
}

Result<bool> Person::sync(const memory::EmbedderInfo* embedder) {
  rows.trim();
  PARLANCE_TRY_DO(source.refresh());
  if (source.person() == 0) return false;
  PARLANCE_TRY(changes, source.changes());
  if (changes.last != seen_change_) {
    PARLANCE_TRY(updated, update_words(changes));
    if (!updated) keywords.forget_found();
    PARLANCE_TRY_DO(rows.sync());
    seen_change_ = changes.last;  // last: a failed read is repeated
  }
  if (embedder != nullptr) {
    vectors.use(*embedder);
    PARLANCE_TRY_DO(vectors.sync());
  }
  return true;
}

Person& People::of(const std::string& user) {
  const auto known = std::ranges::find(people_, user, &Person::user);
  if (known != people_.end()) people_.splice(people_.begin(), people_, known);
  else people_.emplace_front(server_, user, index_);
  std::size_t bytes = 0;
  std::size_t count = 0;
  for (auto person = people_.begin(); person != people_.end();) {
    bytes += person->vectors.index_bytes();
    const bool room = ++count <= limits::memory_people_kept && bytes <= limits::memory_people_bytes;
    person = room || count == 1 ? std::next(person) : people_.erase(person);
  }
  return people_.front();
}

bool People::take_new_graph() {
  return std::ranges::any_of(people_, [](Person& person) { return person.vectors.take_new_graph(); });
}

}  // namespace parlance::store
