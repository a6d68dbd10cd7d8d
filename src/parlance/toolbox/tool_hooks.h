// SPDX-License-Identifier: Apache-2.0
// Who has a say in every tool call of an agent whose tools we run, before policy is asked and whatever it would say: the hooks of a host
// that took us for Claude Code. Loop thread only; whoever enters leaves before it ends.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "parlance/async/task.h"
#include "parlance/hub/agent.h"
#include "parlance/hub/tools.h"

namespace parlance::toolbox {

struct ToolVerdict {
  enum class Say : std::uint8_t {
    nothing,  // policy decides, then a person
    allow,    // nobody is asked; what policy forbids stays forbidden
    ask,      // a person is asked, even where policy allows
    deny
  };
  Say say = Say::nothing;
  std::string why{};                            // of ask, for a person; of deny what the model gets, word for word
  std::optional<std::string> arguments_json{};  // what runs in the place of what the model wanted; is judged again
  bool ends_turn = false;                       // the model is not asked again after this call
};

class ToolHooks {
 public:
  // The call by the name and the input that its conversation is told.
  virtual hub::ToolCall named(const hub::Conversation& conversation, hub::ToolCall call) = 0;
  // Before a call that could run; it has been announced.
  virtual Task<ToolVerdict> before(hub::Turn& turn, hub::ToolCall call) = 0;
  // Before a request of an MCP server during the call `request.id`. `request.tool` is the name of the request for rules and hooks, and
  // the arguments are its texts. Input in place of the request, and the end of the turn, count as a refusal.
  virtual Task<ToolVerdict> before_request(hub::Turn& turn, hub::ToolCall request) = 0;
  // What was agreed to in the place of the input that was asked about; nothing: that input.
  virtual std::optional<std::string> agreed_input(const std::string& call) = 0;
  struct After {
    std::string more{};  // for the model, behind the result
    bool ends_turn = false;
  };
  virtual Task<After> after(hub::ToolCall call, const hub::ToolOutcome& outcome) = 0;

 protected:
  ~ToolHooks() = default;
};

// Where they are found, by an agent that is there before them.
struct ToolHooksPort {
  ToolHooks* hooks = nullptr;
};

}  // namespace parlance::toolbox
