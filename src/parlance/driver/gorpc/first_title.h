// SPDX-License-Identifier: Apache-2.0
// A title by the model for a new conversation, in place of the first words of its prompt: one additional Chat after a turn. The
// Chat delays no turn: it runs between turns, needs a free slot, and ends with the next prompt. Agents of other programs get no
// such Chat, because theirs may do more than answer. Loop thread only; the link outlives the object.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "parlance/async/scope.h"
#include "parlance/driver/gorpc/agent_link.h"

namespace parlance::driver {

// The title in a model's answer. Empty: the answer is no title (several lines, too long, or cut).
std::string title_in(const gorpc::ChatReply& reply);

class FirstTitle {
 public:
  using Take = std::function<void(const gorpc::ChatReply& reply)>;

  // `take` receives the answer of the model, whose tokens count even without a title.
  FirstTitle(AgentLink& link, Take take) : link_(link), take_(std::move(take)), asking_(link.loop()) {}
  // Before each Chat; the first call counts. `prompt`: the only message of a new conversation; empty: the conversation is older.
  void see(std::string_view prompt);
  // Asks once. Does nothing for an older conversation, and for a title other than the beginning of the prompt.
  void ask(const std::string& title, const std::string& model);
  void stop() { asking_.cancel(); }

 private:
  Task<void> run(gorpc::ChatArgs request);

  AgentLink& link_;
  Take take_;
  bool seen_ = false;
  std::string prompt_{};  // shortened; empty: the conversation is older, or the model was asked
  Scope asking_;
};

}  // namespace parlance::driver
