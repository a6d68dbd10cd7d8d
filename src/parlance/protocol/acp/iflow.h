// SPDX-License-Identifier: Apache-2.0
// Messages of iFlow only: questions, approval of a plan, amount of thinking, and methods from before ACP. Values; any thread.
#pragma once

#include <map>

#include "parlance/protocol/acp/content.h"

namespace parlance::acp::iflow {

enum class ThinkLevel : std::uint8_t { think, megathink, ultrathink };
constexpr auto wire_names(ThinkLevel) { return wire::names("think", "megathink", "ultrathink"); }

struct SetThink {
  std::string session_id{};
  bool think_enabled = false;
  std::optional<Open<ThinkLevel>> think_config{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&SetThink::session_id>("sessionId", "Id of the session."),
             field<&SetThink::think_enabled>("thinkEnabled", "True: the model thinks before it answers."),
             field<&SetThink::think_config>("thinkConfig", "Amount of thinking."), meta_field<&SetThink::meta>());
};
struct ThinkSet {
  std::optional<bool> success{};
  std::optional<bool> current_think_enabled{};
  std::optional<Open<ThinkLevel>> current_think_config{};
  Raw meta{};
  static constexpr auto wire = fields(
      field<&ThinkSet::success>("success", "True: the setting changed."),
      field<&ThinkSet::current_think_enabled>("currentThinkEnabled", "Present setting: true if the model thinks."),
      field<&ThinkSet::current_think_config>("currentThinkConfig", "Present amount of thinking."), meta_field<&ThinkSet::meta>());
};

struct QuestionChoice {
  std::string label{};
  std::string description{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&QuestionChoice::label>("label", "Text of the choice, and the answer after selection."),
             field<&QuestionChoice::description>("description", "Description of the choice for people.").or_default(),
             meta_field<&QuestionChoice::meta>());
};
struct Question {
  std::string question{};
  std::string header{};
  std::vector<QuestionChoice> options{};
  bool multi_select = false;
  Raw meta{};
  static constexpr auto wire =
      fields(field<&Question::question>("question", "Text of the question."),
             field<&Question::header>("header", "Short name of the question, and its key in the answers.").or_default(),
             field<&Question::options>("options", "Offered choices. Any other text is an answer too.").or_default(),
             field<&Question::multi_select>("multiSelect", "True: several choices may be selected.").or_default(),
             meta_field<&Question::meta>());
};
struct Questions {
  std::string session_id{};
  std::vector<Question> questions{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&Questions::session_id>("sessionId", "Id of the session.").or_default(),
             field<&Questions::questions>("questions", "All questions of the request."), meta_field<&Questions::meta>());
};
// Always with `answers`, because its absence breaks the agent. A question without an entry has no answer.
struct Answers {
  std::map<std::string, Raw> answers{};
  Raw meta{};
  static constexpr auto wire = fields(field<&Answers::answers>("answers", "Answers by header: a label or a list of labels."),
                                      meta_field<&Answers::meta>());
};

struct PlanExit {
  std::string session_id{};
  std::string plan{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&PlanExit::session_id>("sessionId", "Id of the session.").or_default(),
             field<&PlanExit::plan>("plan", "The plan as Markdown.").or_default(), meta_field<&PlanExit::meta>());
};
struct PlanDecision {
  bool approved = false;
  std::optional<std::string> reason{};
  Raw meta{};
  static constexpr auto wire =
      fields(field<&PlanDecision::approved>("approved", "True: the plan is approved, and the agent leaves plan mode."),
             field<&PlanDecision::reason>("reason", "Reason of a rejection."), meta_field<&PlanDecision::meta>());
};

struct LegacyCall {
  std::string id{};
  static constexpr auto wire = fields(field<&LegacyCall::id>("id", "Id of the call, such as tool_1."));
};

}  // namespace parlance::acp::iflow
