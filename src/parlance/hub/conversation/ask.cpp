// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/conversation/ask.h"

#include "parlance/base/bytes.h"
#include "parlance/base/sha256.h"
#include "parlance/base/text.h"
#include "parlance/hub/conversation/limits.h"

namespace parlance::hub {
namespace {

// Every part goes in with its length, so that no two different asks give the same bytes.
class Fingerprint {
 public:
  void number(std::uint64_t value) {
    char bytes[8];
    for (int i = 0; i < 8; ++i) bytes[i] = static_cast<char>(value >> (8 * i));
    hash_.add({bytes, sizeof bytes});
  }
  void text(std::string_view value) {
    number(value.size());
    hash_.add(value);
  }
  void maybe(const std::optional<std::string>& value) {
    number(value ? 1 : 0);
    if (value) text(*value);
  }
  std::string hex() {
    const auto digest = hash_.finish();
    return to_hex({reinterpret_cast<const char*>(digest.data()), digest.size()});
  }

 private:
  Sha256 hash_;
};

}  // namespace

std::string in_words(const std::vector<std::vector<std::string>>& answers) {
  std::string text;
  for (const auto& answer : answers) {
    if (!text.empty()) text += "; ";
    for (std::size_t i = 0; i < answer.size(); ++i) text += (i == 0 ? "" : ", ") + answer[i];
  }
  return text;
}

std::string_view to_string(AskState state) {
  switch (state) {
    case AskState::open: return "open";
    case AskState::answered: return "answered";
    case AskState::expired: return "expired";
    case AskState::cancelled: return "cancelled";
    case AskState::orphaned: return "orphaned";
  }
  return "open";
}

std::string digest_of(const Ask& ask, std::string_view folder) {
  Fingerprint print;
  print.text("parlance ask 1");
  print.number(static_cast<std::uint64_t>(ask.kind));
  print.text(ask.conversation);
  print.text(folder);
  print.maybe(ask.call);
  print.maybe(ask.tool);
  print.text(ask.title);
  print.text(ask.why);
  print.maybe(ask.detail);
  print.number(ask.diff ? 1 : 0);
  if (ask.diff) {
    print.text(ask.diff->path);
    print.maybe(ask.diff->before);
    print.maybe(ask.diff->after);
  }
  print.number(ask.questions ? ask.questions->size() + 1 : 0);
  if (ask.questions) {
    for (const Question& question : *ask.questions) {
      print.text(question.header);
      print.text(question.question);
      print.number(question.multiple ? 1 : 0);
      print.number(question.options.size());
      for (const QuestionOption& option : question.options) {
        print.text(option.label);
        print.text(option.description);
      }
    }
  }
  print.maybe(ask.plan);
  if (ask.reason) {  // a request without one has the digest of version 0.2
    print.text(ask.reason->id);
    print.text(ask.reason->agent);
    print.number(ask.reason->values.size());
    for (const std::string& value : ask.reason->values) print.text(value);
  }
  print.number(ask.options.size());
  for (const AskOption& option : ask.options) {
    print.text(option.id);
    print.text(option.label);
    print.number(static_cast<std::uint64_t>(option.kind));
  }
  return print.hex();
}

Result<Ask> with_edit(Ask ask, std::string text) {
  if (!ask.editable) return fail(Errc::invalid_params, "nothing of this can be changed before it is allowed");
  if (text.size() > limits::file_edit_bytes)
    return fail(Errc::invalid_params, "the changed text has " + std::to_string(text.size()) + " bytes; at most " +
                                          std::to_string(limits::file_edit_bytes));
  switch (*ask.editable) {
    case EditablePart::diff:
      if (!ask.diff) return fail(Errc::invalid_params, "this proposes no change of a file");
      ask.diff->after = text;
      break;
    case EditablePart::command:
      if (trim(text).empty()) return fail(Errc::invalid_params, "the changed command is empty");
      ask.detail = text;
      break;
  }
  ask.edited = std::move(text);
  return ask;
}

}  // namespace parlance::hub
