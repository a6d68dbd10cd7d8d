// SPDX-License-Identifier: Apache-2.0
#include "parlance/server/agent/history_cache.h"

#include <utility>
#include <vector>

#include "parlance/protocol/gorpc/history_digest.h"
#include "parlance/server/agent/chat_forms.h"

namespace parlance::server {
namespace {

std::size_t bytes_of(const model::Message& message) {
  std::size_t bytes = sizeof message + message.content.size();
  for (const model::ToolCall& call : message.tool_calls)
    bytes += sizeof call + call.id.size() + call.name.size() + call.arguments.size();
  for (const model::ToolResult& result : message.tool_results)
    bytes += sizeof result + result.call_id.size() + result.content.size();
  return bytes;
}

}  // namespace

// Counts its bytes for as long as it lives.
struct HistoryCache::Part final : model::EarlierMessages {
  Part(History earlier, std::vector<model::Message> these, std::shared_ptr<std::size_t> total)
      : EarlierMessages(std::move(earlier), std::move(these)), sum(std::move(total)) {
    for (const model::Message& message : messages) bytes += bytes_of(message);
    *sum += bytes;
  }
  ~Part() override { *sum -= bytes; }
  std::shared_ptr<std::size_t> sum;
  std::size_t bytes = sizeof(Part);
};

void HistoryCache::use(Entry& entry) { used_.splice(used_.end(), used_, entry.used); }

HistoryCache::History HistoryCache::find(const std::string& digest) {
  const auto found = entries_.find(digest);
  if (found == entries_.end()) return nullptr;
  use(found->second);
  return found->second.history;
}

HistoryCache::Kept HistoryCache::extend(const std::string& digest, std::span<const gorpc::Message> messages) {
  std::string extended = gorpc::history_digest(digest, messages);
  if (History known = find(extended)) return {std::move(extended), std::move(known)};
  History before = find(digest);
  // The caller may repeat its last call: the digest of this call stays known, earlier digests are of no use.
  if (const auto last = entries_.find(digest); last != entries_.end())
    if (const auto older = entries_.find(last->second.before); older != entries_.end()) forget(older);
  std::vector<model::Message> these;
  these.reserve(messages.size());
  for (const gorpc::Message& message : messages) these.push_back(to_message(message));
  History history = std::make_shared<Part>(std::move(before), std::move(these), bytes_);
  entries_.emplace(extended, Entry{history, digest, used_.insert(used_.end(), extended)});
  while (entries_.size() > most_digests_ || (*bytes_ > most_bytes_ && entries_.size() > 0)) forget(entries_.find(used_.front()));
  return {entries_.contains(extended) ? std::move(extended) : std::string(), std::move(history)};
}

void HistoryCache::forget(Entries::iterator entry) {
  used_.erase(entry->second.used);
  entries_.erase(entry);
}

}  // namespace parlance::server
