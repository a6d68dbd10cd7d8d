// SPDX-License-Identifier: Apache-2.0
// Converts an MCP server's question (elicitation/create) to questions of a conversation, and the person's answers to the content
// for the server. A form has flat fields: text, numbers, booleans, choices. The mode url asks to open a page. Values; any
// thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/codec/json/value.h"
#include "parlance/codec/schema/validator.h"
#include "parlance/hub/conversation/ask.h"
#include "parlance/protocol/mcp/methods.h"

namespace parlance::toolbox {

class McpForm {
 public:
  // invalid_params: the part that cannot become a question.
  static Result<McpForm> of(const mcp::ElicitParams& asked);

  const std::string& message() const { return message_; }  // Without control characters.
  std::vector<hub::Question> questions() const;

  using Answers = std::vector<std::vector<std::string>>;
  bool declined(const Answers& answers) const;  // By a choice with this meaning.
  // JSON of the content. invalid_params: the necessary correction, for the person.
  Result<wire::Raw> content(const Answers& answers) const;

 private:
  enum class Kind : std::uint8_t { consent, text, number, integer, boolean, choice, choices };
  struct Choice {
    std::string label{};
    json::Value value{};
  };
  struct Field {
    std::string name{};
    std::string title{};
    std::string description{};
    std::string format{};
    Kind kind = Kind::text;
    bool required = false;
    std::vector<Choice> choices{};
    std::optional<json::Value> preset{};
  };

  static Result<Field> field_of(const std::string& name, const json::Value& property);
  static hub::Question question_of(const Field& field);
  static Result<std::optional<json::Value>> value_of(const Field& field, const std::vector<std::string>& answer);
  static Result<json::Value> one_value(const Field& field, const std::string& text);

  std::string message_;
  std::vector<Field> fields_;
  std::optional<schema::Validator> validator_;
};

}  // namespace parlance::toolbox
