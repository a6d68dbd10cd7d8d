// SPDX-License-Identifier: Apache-2.0
#include "parlance/model/rehearsal/scenario.h"

#include <algorithm>
#include <utility>

#include "parlance/base/text.h"
#include "parlance/codec/json/typed.h"
#include "parlance/model/tool_schema.h"
#include "parlance/transport/whole_file.h"

namespace parlance::model {

constexpr auto wire_names(StopReason) {
  return wire::names("end_turn", "max_tokens", "refusal", "tool_calls", "cancelled", "error");
}

namespace rehearsal {
namespace {

using wire::field;
using wire::fields;

// ---- the file ---------------------------------------------------------------------------------------------------------------

struct FileCall {
  std::string name{};
  wire::Raw arguments{};
  static constexpr auto wire =
      fields(field<&FileCall::name>("name", "Name of the tool to call."),
             field<&FileCall::arguments>("arguments", "Arguments of the call: a JSON object.").or_default());
};
struct FileError {
  std::string message{};
  std::optional<std::string> code{};
  static constexpr auto wire = fields(field<&FileError::message>("message", "Text of the error, for people."),
                                      field<&FileError::code>("code", "Code of the error, such as overloaded. Default: failed."));
};
struct FileStep {
  std::optional<std::string> think{};
  std::optional<std::string> say{};
  std::optional<std::vector<FileCall>> calls{};
  std::optional<StopReason> stop{};
  std::optional<FileError> error{};
  std::optional<std::uint32_t> pace_ms{};
  static constexpr auto wire =
      fields(field<&FileStep::think>("think", "Text of the model's thinking. Absent: no thinking."),
             field<&FileStep::say>("say", "Text of the answer."), field<&FileStep::calls>("calls", "Tool calls of the answer."),
             field<&FileStep::stop>("stop", "Reason for the end of the answer, such as end_turn."),
             field<&FileStep::error>("error", "Error in place of an end of the answer."),
             field<&FileStep::pace_ms>("pace_ms", "Pause between pieces, in milliseconds."));
};
struct FileStage {
  std::optional<std::string> think{};
  std::optional<std::string> say{};
  std::optional<std::vector<FileCall>> calls{};
  std::optional<StopReason> stop{};
  std::optional<FileError> error{};
  std::optional<std::uint32_t> pace_ms{};
  std::optional<FileStep> refused{};
  std::optional<FileStep> failed{};
  static constexpr auto wire =
      fields(field<&FileStage::think>("think", "Text of the model's thinking. Absent: no thinking."),
             field<&FileStage::say>("say", "Text of the answer."), field<&FileStage::calls>("calls", "Tool calls of the answer."),
             field<&FileStage::stop>("stop", "Reason for the end of the answer, such as end_turn."),
             field<&FileStage::error>("error", "Error in place of an end of the answer."),
             field<&FileStage::pace_ms>("pace_ms", "Pause between pieces, in milliseconds."),
             field<&FileStage::refused>("refused", "The step in place of this step after a refused call."),
             field<&FileStage::failed>("failed", "The step in place of this step after a failed call."));
};
struct FileTurn {
  std::optional<std::string> user{};
  std::optional<std::uint32_t> turn{};
  std::vector<FileStage> steps{};
  static constexpr auto wire =
      fields(field<&FileTurn::user>("user", "The turn matches if the message contains this text. Absent: any text matches."),
             field<&FileTurn::turn>(
                 "turn", "The turn matches only this message of the conversation, counted from 1. Absent: every message."),
             field<&FileTurn::steps>("steps", "The answers of the turn. Each step is one answer."));
};
struct File {
  std::optional<bool> announce{};
  std::vector<FileTurn> turns{};
  static constexpr auto wire =
      fields(field<&File::announce>("announce", "True: the first answer says that a script writes the answers."),
             field<&File::turns>("turns", "Turns of the script. The first match counts."));
};

Result<Error> error_from(const FileError& file) {
  Error error{.code = Errc::failed, .message = file.message};
  if (!file.code) return error;
  const std::optional<Errc> code = error_code_named(*file.code);
  if (!code) return fail(Errc::invalid_params, "no error code is called " + *file.code);
  error.code = *code;
  return error;
}

template <class F>  // FileStep or FileStage: the same fields
Result<ScenarioStep> step_from(const F& file) {
  ScenarioStep step{.think = file.think.value_or(""), .say = file.say.value_or(""), .stop = file.stop};
  if (file.pace_ms) step.pace = std::chrono::milliseconds(*file.pace_ms);
  if (file.calls)
    for (const FileCall& call : *file.calls)
      step.calls.push_back({.name = call.name, .arguments = object_or_empty(call.arguments.json)});
  if (file.error) {
    PARLANCE_TRY(error, error_from(*file.error));
    step.error = std::move(error);
  }
  return step;
}

Result<ScenarioStage> stage_from(const FileStage& file) {
  ScenarioStage stage;
  PARLANCE_TRY(step, step_from(file));
  stage.step = std::move(step);
  if (file.refused) {
    PARLANCE_TRY(refused, step_from(*file.refused));
    stage.refused = std::move(refused);
  }
  if (file.failed) {
    PARLANCE_TRY(failed, step_from(*file.failed));
    stage.failed = std::move(failed);
  }
  return stage;
}

// ---- playing it -------------------------------------------------------------------------------------------------------------

void replace_all(std::string& text, std::string_view mark, std::string_view by) {
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + by.size()))
    text.replace(at, mark.size(), by);
}

std::string filled(std::string text, const Turn& turn) {
  if (text.find("{{") == std::string::npos) return text;
  std::string results;
  for (std::size_t i = turn.calls.size() - turn.last_calls; i < turn.calls.size(); ++i)
    results += (results.empty() ? "" : "\n") + quote(turn.calls[i].result);
  std::string tools;
  for (const std::string& tool : turn.tools) tools += (tools.empty() ? "" : ", ") + tool;
  replace_all(text, "{{tools}}", tools);
  replace_all(text, "{{user}}", turn.text);
  replace_all(text, "{{system}}", turn.system);
  replace_all(text, "{{result}}", results);
  return text;
}

bool ended_with(const Turn& turn, Fate fate) {
  return std::ranges::any_of(turn.calls.end() - static_cast<std::ptrdiff_t>(turn.last_calls), turn.calls.end(),
                             [&](const PastCall& past) { return past.fate == fate; });
}

Step play(const ScenarioStep& written, const Turn& turn) {
  Step step{.think = filled(written.think, turn),
            .say = filled(written.say, turn),
            .stop = written.stop,
            .error = written.error,
            .pace = written.pace};
  for (const ScenarioCall& call : written.calls) {
    if (turn.has(call.name)) step.calls.push_back({.name = call.name, .arguments = call.arguments});
    else
      step.say += (step.say.empty() ? "" : "\n\n") + std::string("(The tool `") + call.name +
                  "` is not offered here, so this call is left out.)";
  }
  return step;
}

}  // namespace

Result<Scenario> parse_scenario(std::string_view json) {
  PARLANCE_TRY(file, json::from_text<File>(json));
  Scenario scenario{.announce = file.announce.value_or(true)};
  for (const FileTurn& turn : file.turns) {
    ScenarioTurn& made = scenario.turns.emplace_back();
    made.user = to_lower(turn.user.value_or(""));
    if (turn.turn) made.number = *turn.turn;
    for (const FileStage& stage : turn.steps) {
      PARLANCE_TRY(ready, stage_from(stage));
      made.steps.push_back(std::move(ready));
    }
  }
  return scenario;
}

Result<Scenario> load_scenario(const std::string& path) {
  auto text = read_whole_file(path);
  if (!text) return fail(std::move(text).error().in("the scenario"));
  auto scenario = parse_scenario(*text);
  if (!scenario) return fail(Error{.code = Errc::invalid_params, .message = scenario.error().message}.in(path));
  return scenario;
}

std::optional<Step> scenario_step(const Scenario& scenario, const Turn& turn) {
  const std::string text = to_lower(turn.text);
  for (const ScenarioTurn& candidate : scenario.turns) {
    if (candidate.number && *candidate.number != turn.number) continue;
    if (text.find(candidate.user) == std::string::npos) continue;
    if (turn.steps >= candidate.steps.size()) return Step{.say = "(The scenario has no further step.)"};
    const ScenarioStage& stage = candidate.steps[turn.steps];
    if (stage.refused && ended_with(turn, Fate::refused)) return play(*stage.refused, turn);
    if (stage.failed && ended_with(turn, Fate::failed)) return play(*stage.failed, turn);
    return play(stage.step, turn);
  }
  return std::nullopt;
}

}  // namespace rehearsal
}  // namespace parlance::model
