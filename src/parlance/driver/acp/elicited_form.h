// SPDX-License-Identifier: Apache-2.0
// Converts an agent's form into questions of a conversation. Claude's agent sends its own questions as forms: a property for each
// question, and a second property for free text; both become one question. Any other form has the schema of an MCP server.
// Values; any thread.
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
  static Result<ElicitedForm> of(const acp::CreateElicitation& asked);  // invalid_params: the unsupported part

  const std::string& message() const { return message_; }
  std::vector<hub::Question> questions() const;
  bool declined(const hub::AskAnswer& answer) const;
  Result<wire::Raw> content(const hub::AskAnswer& answer) const;  // invalid_params: the required correction, for the person

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
    bool takes_words = false;  // has a property question_0_custom
    std::vector<Choice> choices{};
  };
  static std::vector<Asked> numbered_questions(const json::Value& schema);  // empty: another form

  std::string message_;
  std::vector<Asked> asked_;
  std::optional<toolbox::McpForm> form_;
};

}  // namespace parlance::driver
