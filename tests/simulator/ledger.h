// SPDX-License-Identifier: Apache-2.0
// The oracle of a simulation: promises to persons and acts of agents, compared with the log.
//
// A promise is an outcome that a person received: a prompt that was taken, or an answer that counts. Each check names the first
// disagreement in words. The ledger reads only the interface of the hub and the rows of the store, and is valid for every design of the hub
// between them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "parlance/hub/conversation/event.h"
#include "parlance/hub/team/rights.h"
#include "parlance/hub/test_support.h"
#include "tests/simulator/command_book.h"
#include "tests/simulator/kept_sessions.h"

namespace parlance::simulator {

class Ledger {
 public:
  // The log keeps the order of a person's prompts. Not with stops and failures: these hold the queue, and a later prompt overtakes held
  // prompts.
  void expect_order() { keeps_order_ = true; }

  // A turn above this limit of a conversation needs an answer of a person, before its agent does anything. Absent: no limit.
  void limit_conversations(std::uint64_t tokens) { most_tokens_ = tokens; }
  std::optional<std::uint64_t> most_tokens() const { return most_tokens_; }

  // Permissions, from a table of its own. Persons may do everything in conversations without an owner here.
  void begun(const std::string& conversation, const std::string& owner, hub::Access access);
  const std::string& owner(const std::string& conversation) const;     // "": none
  void viewer(const std::string& person) { viewers_.insert(person); }  // reads only
  bool permits(const std::string& person, const std::string& conversation, hub::Permission permission) const;
  // A command of the person succeeded.
  void permitted(const std::string& person, const std::string& conversation, hub::Permission permission);

  // Other commands of persons, beside answers.
  CommandBook& commands() { return commands_; }

  // The store accepted a commit of a gateway, in an epoch of ownership. Independent of the fence of the store. `adopts`: the log
  // may have prompts of earlier conversations of the adopted session.
  void committed(const std::string& conversation, const std::string& gateway, std::uint64_t epoch, bool adopts = false);

  // Prompts. Each text is unique. `attachment`: its bytes; empty: none.
  void prompt_sent(const std::string& text, const std::string& conversation, const std::string& person,
                   std::string attachment = {});
  void prompt_taken(const std::string& text);
  void prompt_refused(const std::string& text, const Error& error);  // is_refusal
  void prompt_withdrawn(const std::string& text);                    // Before the outcome is known.
  // A prompt of the person is sent, without an outcome.
  bool prompt_is_open(const std::string& person, const std::string& conversation) const {
    return open_.contains({person, conversation});
  }
  void prompt_lost_sight_of(const std::string& text);  // its gateway died before the outcome

  // Answers.
  void answer_sent(const std::string& ask, const std::string& option, const std::string& person);
  void answer_counts(const hub::Ask& ask, const std::string& option, const std::string& person);

  // An agent begins a turn, in a conversation of its own hub. Returns the conversation of the gateways.
  std::string executed(const std::string& prompt, const std::string& session);
  const std::string& attachment_of(const std::string& prompt) const;
  // An agent writes a text in the turn of the prompt. `has_lied`: of its runner's connection; null: none lies.
  void wrote(const std::string& prompt, const std::string& text, std::shared_ptr<const bool> has_lied = nullptr);
  // An agent waits for a stop of the turn.
  class Hanging {
   public:
    Hanging(Ledger& ledger, std::string conversation) : ledger_(ledger), conversation_(std::move(conversation)) {
      ++ledger_.hanging_[conversation_];
    }
    ~Hanging() { --ledger_.hanging_[conversation_]; }
    Hanging(const Hanging&) = delete;
    Hanging& operator=(const Hanging&) = delete;

   private:
    Ledger& ledger_;
    std::string conversation_;
  };
  bool hangs(const std::string& conversation) const {
    const auto found = hanging_.find(conversation);
    return found != hanging_.end() && found->second > 0;
  }
  // An agent carries out an allowed call. `by_rule`: a rule was in force at the beginning or the end of the request.
  void call_carried_out(const std::string& conversation, const std::string& call, bool by_rule = false);
  // A person revoked a rule: from now on it allows no request.
  void rule_revoked(const std::string& rule) { revoked_.insert(rule); }
  bool is_revoked(const std::string& rule) const { return revoked_.contains(rule); }

  // A person removes the conversation, and no check reads its log.
  void removed(const std::string& conversation) { removed_.emplace(conversation, false); }
  void removal_taken(const std::string& conversation) { removed_[conversation] = true; }
  bool is_removed(const std::string& conversation) const { return removed_.contains(conversation); }

  // A person received an event after event `last`. The store must have the same event.
  void followed(const hub::test::MemoryStore& store, const std::string& person, const std::string& conversation,
                std::uint64_t last, const hub::Event& event);

  void wrong(std::string what);  // A disagreement from another part.
  // At the end, when no turn runs and nothing waits.
  void compare(const hub::test::MemoryStore& store, const KeptSessions& sessions = {});

  const std::vector<std::string>& disagreements() const { return disagreements_; }
  std::uint64_t promises() const { return promises_; }

 private:
  struct SentPrompt {
    std::string conversation{};
    std::string person{};
    std::uint64_t number = 0;
    std::string attachment{};
    std::string refusal{};
    enum class Outcome { pending, taken, refused, unknown } outcome = Outcome::pending;
    bool withdrawn = false;
    bool executed = false;
    std::string written{};  // by the agent
    std::shared_ptr<const bool> has_lied{};
  };
  struct SentAnswers {
    std::set<std::pair<std::string, std::string>> sent{};  // option and person
    std::vector<std::string> counted{};
  };
  struct Begun {
    std::string owner{};
    hub::Access access{};
  };
  struct Writer {
    std::string gateway{};
    std::uint64_t epoch = 0;
  };
  void compare_prompts(const std::string& conversation, const hub::test::MemoryStore& store, bool has_history);
  void compare_attachment(const std::string& conversation, const hub::event::UserMessage& message,
                          const hub::test::MemoryStore& store);
  void compare_removals(const hub::test::MemoryStore& store);
  void compare_asks(const std::string& conversation, const std::vector<hub::Event>& log);
  void compare_texts(const std::string& conversation, const std::vector<hub::Event>& log);
  void compare_turns(const std::string& conversation, const std::vector<hub::Event>& log);
  void compare_limits(const std::string& conversation, const std::vector<hub::Event>& log);

  std::optional<std::uint64_t> most_tokens_;
  std::map<std::string, Begun> begun_;
  std::set<std::string> viewers_;
  std::map<std::string, SentPrompt> prompts_;
  std::set<std::pair<std::string, std::string>> open_;  // persons and conversations with a prompt without an outcome
  std::map<std::string, std::string> sessions_;         // conversations of gateways, by conversation of a runner: the latest
  std::set<std::string, std::less<>> adopted_;          // conversations
  std::set<std::string> reused_;                        // conversations of gateways with such a conversation of another one
  std::map<std::string, SentAnswers> answers_;
  std::map<std::string, std::map<std::string, int>> carried_out_;  // by conversation and call
  std::set<std::string> allowed_;                                  // calls, in any log
  std::map<std::string, int> hanging_;                             // agents, by conversation
  std::set<std::pair<std::string, std::string>> by_rule_;          // conversations and calls
  std::set<std::string> revoked_;                                  // rules
  std::map<std::string, bool> removed_;                            // true: the removal is taken
  std::map<std::string, Writer> writers_;                          // the latest of each conversation
  CommandBook commands_;
  std::vector<std::string> disagreements_;
  std::uint64_t promises_ = 0;
  bool keeps_order_ = false;
  std::uint64_t numbers_ = 0;
};

}  // namespace parlance::simulator
