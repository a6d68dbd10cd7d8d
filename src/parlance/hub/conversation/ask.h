// SPDX-License-Identifier: Apache-2.0
// An ask: a request that waits for a person, a rule or its expiry. The store has the row before any frontend shows a card. Values;
// any thread.
//
//   `open` -> answered | expired | cancelled (the turn was stopped or ended) | orphaned (the agent or the program died).
//   `orphaned` -> cancelled (repeated with RepeatRequest, or the person continued with another prompt).
// Every other state is final.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/hub/conversation/reason.h"

namespace parlance::hub {

// `limit`: the hub holds a turn because use has reached a limit (policy/spending.h). The options continue once, or reject.
enum class AskKind : std::uint8_t { permission, question, plan, limit };
enum class AskState : std::uint8_t { open, answered, expired, cancelled, orphaned };
std::string_view to_string(AskState state);

// `reject_and_stop`: the agent gets the rejection, and the hub stops the turn.
enum class OptionKind : std::uint8_t { reject_once, reject_always, reject_and_stop, allow_once, allow_always, choice, feedback };

// The part of a proposal that a person may edit before approval.
enum class EditablePart : std::uint8_t { diff, command };  // the text after the change; the whole command line

// One answer that a card offers.
struct AskOption {
  std::string id{};
  std::string label{};
  OptionKind kind = OptionKind::choice;
  bool dangerous = false;  // the Enter key never selects this option
  friend bool operator==(const AskOption&, const AskOption&) = default;
};

// One choice of a question; the label is also the answer.
struct QuestionOption {
  std::string label{};
  std::string description{};
  friend bool operator==(const QuestionOption&, const QuestionOption&) = default;
};

// A question with choices; the person may also answer in own words.
struct Question {
  std::string header{};
  std::string question{};
  bool multiple = false;  // several choices may be selected
  std::vector<QuestionOption> options{};
  friend bool operator==(const Question&, const Question&) = default;
};

// Before and after of one file. `before` absent: the file is new; `after` absent: it is deleted.
struct Diff {
  std::string path{};
  std::optional<std::string> before{};
  std::optional<std::string> after{};
  friend bool operator==(const Diff&, const Diff&) = default;
};

struct Ask {
  std::string id{};
  std::string conversation{};
  AskKind kind = AskKind::permission;
  std::optional<std::string> call{};  // the waiting tool call
  std::optional<std::string> tool{};
  std::string title{};                  // one line: the path, the command
  std::string why{};                    // the caller, its action and place, and the reason of the request
  std::optional<Reason> reason{};       // the same for translation; absent: only `why` has the reason
  std::optional<std::string> detail{};  // the full command or text that will be used
  std::optional<Diff> diff{};
  std::optional<std::vector<Question>> questions{};
  std::optional<std::string> plan{};       // markdown
  std::vector<AskOption> options{};        // in the agent's order; empty for questions
  std::optional<EditablePart> editable{};  // absent: the person may only allow or reject
  std::string digest{};                    // after approval with an edit: over the edited ask
  AskState state = AskState::open;
  std::optional<std::string> chosen{};  // option id, or `decline`
  std::optional<std::string> text{};    // feedback or note; for questions the answers in words
  std::optional<std::string>
      by{};  // User::name, "person" (on the page), "terminal", "host", "rule …", "expiry", "stop", "restart"
  std::optional<std::string> edited{};  // the person's edit of the editable part
  std::string created_at{};             // RFC 3339, UTC

  // Not shown to frontends.
  std::vector<std::vector<std::string>> answers{};  // to questions, one list each
  std::optional<std::string> expires_at{};          // RFC 3339, UTC; absent: waits as long as the turn
  friend bool operator==(const Ask&, const Ask&) = default;
};

// Answers to questions, in order.
std::string in_words(const std::vector<std::vector<std::string>>& answers);

// The chosen option of a person who declines to answer a question.
inline constexpr std::string_view decline = "decline";

// SHA-256 in hex over exactly the content that a person sees and approves: kind, conversation, folder, call, tool, texts, diff,
// questions, plan, options. An answer carries the digest, so a card with other content can never approve the ask.
std::string digest_of(const Ask& ask, std::string_view folder);

// The ask as if the agent had proposed `text` in the editable part. Errors: invalid_params (no editable part, or an empty result).
Result<Ask> with_edit(Ask ask, std::string text);

// The result for the asking caller.
struct AskAnswer {
  AskState state = AskState::answered;        // answered, expired or cancelled
  std::string option{};                       // the chosen option's id
  OptionKind kind = OptionKind::reject_once;  // of the chosen option
  std::string text{};
  std::vector<std::vector<std::string>> answers{};
  std::string by{};
  std::optional<std::string> edited{};  // the edited part: allowed exactly as edited
  std::string digest{};                 // over the approved content, with the edit
  std::string why{};                    // for the agent, after a decision by a rule or the mode
  std::optional<std::string> rule{};    // Rule::id of the rule that the answer created

  // Only a given answer counts: an expired or cancelled request is never allowed.
  bool allowed() const {
    return state == AskState::answered && (kind == OptionKind::allow_once || kind == OptionKind::allow_always);
  }
};

namespace event {

// A new request, by its kind; with the content at its creation.
struct ToolConfirmation {
  Ask ask{};
  friend bool operator==(const ToolConfirmation&, const ToolConfirmation&) = default;
};

struct UserQuestion {
  Ask ask{};
  friend bool operator==(const UserQuestion&, const UserQuestion&) = default;
};

struct PlanApproval {
  Ask ask{};
  friend bool operator==(const PlanApproval&, const PlanApproval&) = default;
};

// The end of a request, with the fields of Ask.
struct AskSettled {
  std::string ask{};
  AskState state = AskState::answered;
  std::optional<std::string> chosen{};
  std::optional<std::string> text{};
  std::string by{};
  std::optional<std::string> edited{};  // the person's version of the proposal (Ask::editable); only this version was approved
  std::optional<std::string> rule{};    // Rule::id of the rule that this answer created
  friend bool operator==(const AskSettled&, const AskSettled&) = default;
};

}  // namespace event

}  // namespace parlance::hub
