// SPDX-License-Identifier: Apache-2.0
// The hub's store in memory: for temporary conversations (`parlance run --temporary`), and the base of the store of tests. Loop
// thread only.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "parlance/hub/conversation/ask.h"
#include "parlance/hub/conversation/attachment.h"
#include "parlance/hub/log/packed.h"
#include "parlance/hub/log/store.h"
#include "parlance/hub/policy/policy.h"
#include "parlance/hub/policy/spending.h"

namespace parlance::hub {

class InMemoryStore : public Store {
 public:
  using TextOf = std::function<std::string(const Event& event)>;
  explicit InMemoryStore(TextOf text_of);  // the wire form, which the hub does not know
  ~InMemoryStore() override;

  Task<Result<Stored>> load() override;
  Task<Result<void>> write(CommitPtr change) override;
  Task<Result<std::vector<Event>>> events(std::string conversation, std::uint64_t after, std::uint64_t before,
                                          std::size_t limit) override;
  Task<Result<std::vector<EventText>>> event_texts(std::string conversation, std::uint64_t after, std::uint64_t before,
                                                   std::size_t limit) override;
  Task<Result<std::vector<Event>>> events_after(std::string conversation, std::uint64_t after, std::uint64_t last,
                                                std::size_t most_bytes) override;
  Task<Result<LogParts>> parts_with(std::string words, std::uint64_t before, std::size_t limit) override;
  Task<Result<std::optional<Ask>>> ask(std::string id) override;
  Task<Result<std::optional<Attachment>>> attachment(std::string id) override;
  Task<Result<void>> remove_conversation(std::string id) override;
  Task<Result<std::vector<SpentOn>>> spent(std::string since) override;
  Task<Result<Spent>> spent_in(std::string conversation) override;

 protected:
  std::map<std::string, PackedConversation> conversations_;
  std::map<std::string, std::vector<Event>> logs_;  // by conversation; the n-th has number n + 1
  std::map<std::string, Ask> asks_;
  std::map<std::string, Attachment> attachments_;
  std::map<std::pair<std::string, std::string>, Spent> spent_;  // by day and conversation
  SpendingLimits limits_;
  std::vector<Rule> rules_;  // newest first
  TextOf text_of_;
};

}  // namespace parlance::hub
