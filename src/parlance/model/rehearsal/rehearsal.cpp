// SPDX-License-Identifier: Apache-2.0
#include "parlance/model/rehearsal/rehearsal.h"

#include <utility>

#include "parlance/base/utf8.h"
#include "parlance/model/answer.h"
#include "parlance/model/earlier_messages.h"
#include "parlance/model/limits.h"
#include "parlance/model/rehearsal/rehearsal_step.h"
#include "parlance/model/rehearsal/rehearsal_texts.h"
#include "parlance/model/rehearsal/scenario.h"

namespace parlance::model {
namespace {

using rehearsal::Step;
using rehearsal::Turn;

constexpr std::size_t usual_piece_bytes = 12;

// The next piece: whole words and whole characters, at least `bytes` long if the text is long enough.
std::string_view take_piece(std::string_view& text, std::size_t bytes) {
  std::size_t end = std::min(bytes, text.size());
  while (end < text.size() && text[end - 1] != ' ' && text[end - 1] != '\n' && end < bytes + 24) ++end;
  std::string_view piece = utf8_prefix(text, end);
  if (piece.empty()) piece = text.substr(0, end);
  text.remove_prefix(piece.size());
  return piece;
}

class Rehearsal final : public Model {
 public:
  Rehearsal(Loop& loop, RehearsalSettings settings, std::optional<rehearsal::Scenario> scenario)
      : loop_(loop), settings_(std::move(settings)), scenario_(std::move(scenario)) {}

  Task<Result<Completion>> chat(ChatRequest request, ChunkSink& chunks) override;
  std::string_view name() const override { return "rehearsal"; }
  bool scripted() const override { return true; }
  bool shows(const Attachment& attachment, std::string_view) const override {
    return has_anthropic_block(attachment);
  }  // the same kinds as the real providers

 private:
  Step choose(const Turn& turn) const;
  Task<Result<void>> stream(const Step& step, Answer& answer);
  Task<Result<void>> stream_text(std::string_view text, const Step& step, Answer& answer,
                                 Result<void> (Answer::*into)(std::string_view));

  Loop& loop_;
  RehearsalSettings settings_;
  std::optional<rehearsal::Scenario> scenario_;
};

Step Rehearsal::choose(const Turn& turn) const {
  std::optional<Step> step;
  if (scenario_) step = scenario_step(*scenario_, turn);
  if (!step) step = next_step(turn);
  if (turn.first_answer && (!scenario_ || scenario_->announce)) step->say.insert(0, rehearsal::texts::announcement);
  for (std::size_t i = 0; i < step->calls.size(); ++i)
    step->calls[i].id =
        "call_" + std::to_string(turn.number) + "_" + std::to_string(turn.steps + 1) + "_" + std::to_string(i + 1);
  return *std::move(step);
}

Task<Result<void>> Rehearsal::stream_text(std::string_view text, const Step& step, Answer& answer,
                                          Result<void> (Answer::*into)(std::string_view)) {
  const auto pace = step.pace.value_or(settings_.pace);
  const std::size_t bytes = step.piece_bytes != 0 ? step.piece_bytes : usual_piece_bytes;
  while (!text.empty()) {
    PARLANCE_CO_TRY_DO((answer.*into)(take_piece(text, bytes)));
    if (pace.count() > 0) co_await sleep_for(loop_, pace);
  }
  co_return Result<void>{};
}

Task<Result<void>> Rehearsal::stream(const Step& step, Answer& answer) {
  PARLANCE_CO_TRY_DO(co_await stream_text(step.think, step, answer, &Answer::reasoning));
  PARLANCE_CO_TRY_DO(co_await stream_text(step.say, step, answer, &Answer::text));
  for (const ToolCall& call : step.calls) {
    PARLANCE_CO_TRY(index, answer.begin_call(call.id, call.name));
    const std::size_t half = utf8_prefix(call.arguments, (call.arguments.size() + 1) / 2).size();
    PARLANCE_CO_TRY_DO(answer.arguments(index, std::string_view(call.arguments).substr(0, half)));
    PARLANCE_CO_TRY_DO(answer.arguments(index, std::string_view(call.arguments).substr(half)));
  }
  co_return Result<void>{};
}

Task<Result<Completion>> Rehearsal::chat(ChatRequest request, ChunkSink& chunks) {
  take_in_earlier(request);
  const Step step = choose(rehearsal::look_at(request));
  Answer answer(chunks, limits::model_answer_bytes);
  answer.set_model("rehearsal");
  PARLANCE_CO_TRY_DO(co_await stream(step, answer));
  if (step.error) co_return fail(*step.error);
  if (step.stop) answer.set_stop(*step.stop);
  co_return answer.finish();
}

}  // namespace

Result<std::unique_ptr<Model>> make_rehearsal(Loop& loop, RehearsalSettings settings) {
  std::optional<rehearsal::Scenario> scenario;
  if (!settings.scenario.empty()) {
    PARLANCE_TRY(loaded, rehearsal::load_scenario(settings.scenario));
    scenario = std::move(loaded);
  }
  return std::make_unique<Rehearsal>(loop, std::move(settings), std::move(scenario));
}

}  // namespace parlance::model
