// SPDX-License-Identifier: Apache-2.0
// A form that an agent wants filled in, as questions of a conversation. Claude's agent asks its own questions this way: one property each,
// and a second one for words that were not offered; those become one question. Any other form is read as that of an MCP server, whose
// shape it is. Values; any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "parlance/hub/conversation/ask.h"
#include "parlance/protocol/acp/messages.h"
#include "parlance/toolbox/mcp/form.h"

namespace parlance::driver {

class ElicitedForm {
 public:
  static Result<ElicitedForm> of(const acp::CreateElicitation& asked);  // invalid_params: what of it nobody can be asked

  const std::string& message() const { return message_; }
  std::vector<hub::Question> questions() const;
  bool declined(const hub::AskAnswer& answer) const;
  Result<wire::Raw> content(const hub::AskAnswer& answer) const;  // invalid_params: what has to be different, for the person

 private:
  struct Choice {
    std::string value{};
    std::string label{};
    std::string description{};
  };
  struct Asked {
    std::string property{};  // question_0
    std::string header{};
    std::string question{};
    bool multiple = false;
    bool takes_words = false;  // there is question_0_custom
    std::vector<Choice> choices{};
  };
  static std::vector<Asked> numbered_questions(const json::Value& schema);  // empty: it is another form

  std::string message_;
  std::vector<Asked> asked_;
  std::optional<toolbox::McpForm> form_;
};

}  // namespace parlance::driver
