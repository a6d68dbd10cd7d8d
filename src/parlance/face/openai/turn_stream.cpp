// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/openai/turn_stream.h"

#include <utility>
#include <variant>

#include "parlance/hub/conversation/ask.h"
#include "parlance/hub/conversation/notice.h"
#include "parlance/hub/conversation/turn_event.h"
#include "parlance/hub/conversation/usage.h"

namespace parlance::face {
namespace {

// The hub writes the name of an error code; drivers use codes of their own.
Errc code_of(const std::string& name) { return error_code_named(name).value_or(Errc::failed); }

model::StopReason stop_of(hub::StopReason reason) {
  switch (reason) {
    case hub::StopReason::max_tokens:
    case hub::StopReason::max_turns: return model::StopReason::max_tokens;  // both cut the answer
    case hub::StopReason::refusal: return model::StopReason::refusal;
    case hub::StopReason::cancelled: return model::StopReason::cancelled;
    case hub::StopReason::end_turn:
    case hub::StopReason::error: break;
  }
  return model::StopReason::end_turn;
}

}  // namespace

std::string subject_of(const hub::Ask& ask) {
  if (ask.tool && !ask.tool->empty()) return *ask.tool + ": " + ask.title;
  return ask.title;
}

Result<void> TurnStream::take(const hub::Event& event) {
  std::visit([this](const auto& body) { add(body); }, static_cast<const hub::AnyEvent&>(event.body));
  return taken_;
}

Result<model::Completion> TurnStream::take_result() {
  if (failure_) return fail(*std::move(failure_));
  return std::move(completion_);
}

void TurnStream::pass(model::Chunk chunk) {
  if (taken_) taken_ = follower_.on_chunk(std::move(chunk));
}

void TurnStream::add(const hub::event::Text& text) {
  std::string piece = std::exchange(paragraph_, false) && !completion_.content.empty() ? "\n\n" + text.text : text.text;
  completion_.content += piece;
  pass(model::TextDelta{std::move(piece)});
}

void TurnStream::add(const hub::event::ThinkingContent& thought) {
  completion_.reasoning += thought.text;
  pass(model::ReasoningDelta{thought.text});
}

void TurnStream::add(const hub::event::Usage& usage) {
  completion_.usage.input_tokens += static_cast<std::int64_t>(usage.input_tokens);
  completion_.usage.output_tokens += static_cast<std::int64_t>(usage.output_tokens);
  completion_.usage.cached_tokens += static_cast<std::int64_t>(usage.cache_read_tokens.value_or(0));
}

void TurnStream::add_ask(const hub::Ask& ask) {
  asks_.push_back(ask);
  follower_.on_note("Waiting for a person to decide about " + subject_of(ask) + ". Answer at " + page_url_ + "\n");
}

void TurnStream::add(const hub::event::AskSettled& settled) {
  std::erase_if(asks_, [&](const hub::Ask& ask) { return ask.id == settled.ask; });
}

// For the waiting person at the client; the page shows mere information.
void TurnStream::add(const hub::event::Notice& notice) {
  if (notice.level != hub::NoticeLevel::info) follower_.on_note(notice.text + "\n");
}

// Only a failure directly before an error end has ended the turn; other failures are remarks, for example about an invisible
// picture.
void TurnStream::add(const hub::event::Failure& failure) {
  failure_ = Error{.code = code_of(failure.code), .message = hub::failure_in_words(failure)};
}

void TurnStream::add(const hub::event::TurnEnd& end) {
  ended_ = true;
  completion_.stop = stop_of(end.stop_reason);
  if (end.stop_reason == hub::StopReason::cancelled) {
    failure_ = Error{.code = Errc::denied, .message = "a person stopped this request at " + page_url_};
  } else if (end.stop_reason != hub::StopReason::error) {
    if (failure_) follower_.on_note(failure_->message + "\n");
    failure_.reset();
  } else if (!failure_) {
    failure_ = Error{.code = Errc::failed, .message = "the agent ended this turn with an error"};
  }
}

}  // namespace parlance::face
