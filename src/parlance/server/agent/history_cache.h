// SPDX-License-Identifier: Apache-2.0
// The messages of earlier calls, by the digest of their content (docs/decisions/0068-history-by-digest.md). The cache computes
// each digest itself: a caller cannot store messages under the digest of others. A digest stays valid until the histories exceed
// their limits; the least recently used go first. Loop thread only.
#pragma once

#include <cstddef>
#include <list>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "parlance/model/earlier_messages.h"
#include "parlance/protocol/gorpc/messages.h"
#include "parlance/server/agent/limits.h"

namespace parlance::server {

class HistoryCache {
 public:
  explicit HistoryCache(std::size_t most_bytes = limits::kept_history_bytes, std::size_t most_digests = limits::kept_histories)
      : most_bytes_(most_bytes), most_digests_(most_digests) {}

  using History = std::shared_ptr<model::EarlierMessages>;
  History find(const std::string& digest);  // null: unknown
  struct Kept {
    std::string digest{};
    History history{};
  };
  // Keeps the messages of `digest` (empty: none) and `messages` after them. Precondition: `digest` is empty or known, and the
  // messages have no attachments. Of the same conversation, the digests before `digest` become unknown.
  Kept extend(const std::string& digest, std::span<const gorpc::Message> messages);

  std::size_t bytes() const { return *bytes_; }  // of all histories, also of forgotten ones that running requests use
  std::size_t digests() const { return entries_.size(); }

 private:
  struct Part;
  struct Entry {
    History history;
    std::string before;  // the digest that this one extends
    std::list<std::string>::iterator used;
  };
  using Entries = std::map<std::string, Entry, std::less<>>;
  void use(Entry& entry);
  void forget(Entries::iterator entry);

  std::size_t most_bytes_;
  std::size_t most_digests_;
  std::shared_ptr<std::size_t> bytes_ = std::make_shared<std::size_t>(0);
  Entries entries_;
  std::list<std::string> used_;  // digests, the most recently used at the end
};

}  // namespace parlance::server
