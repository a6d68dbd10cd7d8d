// SPDX-License-Identifier: Apache-2.0
// An ask: something that waits for a person (or a rule, or its expiry). A row in the store before any face shows a card.
// Values; any thread.
//
//   open -> answered | expired | cancelled (its turn was stopped or ended) | orphaned (its agent or the whole program died)
//   orphaned -> cancelled (asked again with `reask`, or the person went on with another prompt)
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

// `limit`: a turn is held back because as much was used as a person allows (policy/spending.h); its options go on once, or do not.
enum class AskKind : std::uint8_t { permission, question, plan, limit };
enum class AskState : std::uint8_t { open, answered, expired, cancelled, orphaned };
std::string_view to_string(AskState state);

// `reject_and_stop`: the agent hears it, and its turn is stopped.
enum class OptionKind : std::uint8_t { reject_once, reject_always, reject_and_stop, allow_once, allow_always, choice, feedback };

// What of a proposal a person may change before allowing it.
enum class EditablePart : std::uint8_t { diff, command };  // the text after the change; the whole command line

struct AskOption {
  std::string id{};
  std::string label{};
  OptionKind kind = OptionKind::choice;
  bool dangerous = false;
  friend bool operator==(const AskOption&, const AskOption&) = default;
};

struct QuestionOption {
  std::string label{};
  std::string description{};
  friend bool operator==(const QuestionOption&, const QuestionOption&) = default;
};

struct Question {
  std::string header{};
  std::string question{};
  bool multiple = false;
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
  std::optional<std::string> call{};  // the tool call that waits for it
  std::optional<std::string> tool{};
  std::string title{};                  // one line: the path, the command
  std::string why{};                    // who wants what, where, and why it is asked
  std::optional<Reason> reason{};       // the same for translation; absent: only `why` says it
  std::optional<std::string> detail{};  // the full command or text that will be used
  std::optional<Diff> diff{};
  std::optional<std::vector<Question>> questions{};
  std::optional<std::string> plan{};  // markdown
  std::vector<AskOption> options{};   // in the agent's order; empty for questions
  std::optional<EditablePart> editable{};
  std::string digest{};  // of an ask that was allowed with changes: over what it became
  AskState state = AskState::open;
  std::optional<std::string> chosen{};  // option id, or `decline`
  std::optional<std::string> text{};    // feedback or note; for questions the answers in words
  std::optional<std::string>
      by{};  // User::name, "person" (on the page), "terminal", "host", "rule …", "expiry", "stop", "restart"
  std::optional<std::string> edited{};  // what the person made of its editable part
  std::string created_at{};

  // Not shown to faces.
  std::vector<std::vector<std::string>> answers{};  // to questions, one list each
  std::optional<std::string> expires_at{};
  friend bool operator==(const Ask&, const Ask&) = default;
};

// Answers to questions, one after the other.
std::string in_words(const std::vector<std::vector<std::string>>& answers);

// The answer of a person who does not want to answer a question.
inline constexpr std::string_view decline = "decline";

// SHA-256 in hex over exactly what a person is shown and agrees to: kind, conversation, folder, call, tool, texts, diff,
// questions, plan, options. It comes back with the answer, so a card of something else can never approve this.
std::string digest_of(const Ask& ask, std::string_view folder);

// The ask as if it had proposed `text` in its editable part. Errors: invalid_params (nothing of it can be changed, or it would be empty).
Result<Ask> with_edit(Ask ask, std::string text);

// What comes back to the one who asked.
struct AskAnswer {
  AskState state = AskState::answered;        // answered, expired or cancelled
  std::string option{};                       // the chosen option's id
  OptionKind kind = OptionKind::reject_once;  // of the chosen option
  std::string text{};
  std::vector<std::vector<std::string>> answers{};
  std::string by{};
  std::optional<std::string> edited{};  // of the editable part: this is allowed, and nothing else
  std::string digest{};                 // over what was agreed to, with what was edited
  std::string why{};                    // for the agent, when a rule or the mode decided
  std::optional<std::string> rule{};    // Rule::id of what holds from now on by it

  bool allowed() const {
    return state == AskState::answered && (kind == OptionKind::allow_once || kind == OptionKind::allow_always);
  }
};

}  // namespace parlance::hub
