// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/log/text_search.h"

#include <algorithm>
#include <set>
#include <utility>
#include <variant>

#include "parlance/base/holds.h"
#include "parlance/base/text.h"
#include "parlance/base/utf8.h"
#include "parlance/hub/conversation/ask.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/conversation/notice.h"
#include "parlance/hub/conversation/tool_event.h"
#include "parlance/hub/conversation/turn_event.h"

namespace parlance::hub {
namespace {

constexpr std::size_t snippet_before = 40;  // bytes: the match is near the beginning, because a list may cut the line
constexpr std::size_t snippet_bytes = 160;

bool within_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// Keeps the text of a link, and underscores inside a word.
std::string without_marks(std::string_view line) {
  std::string out;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const std::string_view rest = line.substr(i);
    if (rest.starts_with("**") || rest.starts_with("~~")) ++i;
    else if (rest.starts_with("](") && rest.contains(')')) i += rest.find(')');
    else if (rest[0] != '`' && !(rest[0] == '[' && rest.contains("]("))) out += rest[0];
  }
  const std::size_t heading = out.find_first_not_of("#>");
  return heading != 0 && heading != std::string::npos && out[heading] == ' ' ? out.substr(heading + 1) : out;
}

// The line around `at`, from shortly before.
std::string around(std::string_view text, std::size_t at) {
  std::size_t from = at > snippet_before ? at - snippet_before : 0;
  while (from < at && within_character(text[from])) ++from;
  std::string line(utf8_prefix(text.substr(from), snippet_bytes));
  std::ranges::replace_if(line, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }, ' ');
  return (from > 0 ? "…" : "") + without_marks(line) + (from + line.size() < text.size() ? "…" : "");
}

// The end of the terminal's escape sequence at `at`: colours (ESC [ … letter), titles and links (ESC ] … BEL or ESC \), others.
std::size_t end_of_escape(std::string_view text, std::size_t at) {
  const char kind = at + 1 < text.size() ? text[at + 1] : '\0';
  std::size_t end = 0;
  if (kind == '[') end = text.find_first_not_of("0123456789:;<=>? !\"#$%&'()*+,-./", at + 2);
  else if (kind == ']') end = text.find_first_of("\a\x1b", at + 2);
  else end = text.find_first_not_of(" !\"#$%&'()*+,-./", at + 1);
  if (end == std::string_view::npos) return text.size();
  return end + (text.substr(end).starts_with("\x1b\\") ? 2 : 1);
}

// Pages show output without escape sequences, which could split a word.
std::string without_escapes(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t escape = std::min(text.find('\x1b', at), text.size());
    out += text.substr(at, escape - at);
    at = escape < text.size() ? end_of_escape(text, escape) : escape;
  }
  return out;
}

// The path and the differing lines: pages show few other lines, and whole files would exceed the limit of an index.
std::string changed_lines(const Diff& diff) {
  const std::vector<std::string_view> before = split(diff.before ? std::string_view(*diff.before) : "", '\n');
  const std::vector<std::string_view> after = split(diff.after ? std::string_view(*diff.after) : "", '\n');
  std::string lines = diff.path;
  const auto add_others = [&lines](const std::vector<std::string_view>& from, const std::vector<std::string_view>& known) {
    const std::set<std::string_view> same(known.begin(), known.end());
    for (const std::string_view line : from)
      if (!line.empty() && !same.contains(line)) (lines += '\n') += line;
  };
  add_others(before, after);
  add_others(after, before);
  return lines;
}

}  // namespace

void SearchedTexts::add(const Event& event) {
  if (const auto* piece = std::get_if<event::Text>(&event.body)) return add_piece("answer", event.seq, piece->text);
  if (const auto* piece = std::get_if<event::ThinkingContent>(&event.body)) return add_piece("thought", event.seq, piece->text);
  if (const auto* output = std::get_if<event::ToolOutput>(&event.body))
    return add_piece("call " + output->call, call_of(output->call, event.seq).seq, output->text);
  end_piece();
  if (holds<event::TurnEnd>(event.body)) end_calls();
  if (holds<event::Cleared>(event.body)) {
    calls_.clear();
    forget();
  }
  if (const auto* said = std::get_if<event::UserMessage>(&event.body)) add_text(event.seq, said->text);
  if (const auto* notice = std::get_if<event::Notice>(&event.body)) add_text(event.seq, notice->act ? "" : notice->text);
  if (const auto* failure = std::get_if<event::Failure>(&event.body))
    for (const std::string& text : {failure->message, failure->detail}) add_text(event.seq, text);
  if (const auto* settled = std::get_if<event::AskSettled>(&event.body)) add_text(event.seq, settled->text.value_or(""));
  add_call(event);
  if (const auto* asked = std::get_if<event::ToolConfirmation>(&event.body)) add_ask(event.seq, asked->ask);
  if (const auto* asked = std::get_if<event::UserQuestion>(&event.body)) add_ask(event.seq, asked->ask);
  if (const auto* asked = std::get_if<event::PlanApproval>(&event.body)) add_ask(event.seq, asked->ask);
}

void SearchedTexts::add_call(const Event& event) {
  if (const auto* call = std::get_if<event::ToolStart>(&event.body)) {
    calls_.insert_or_assign(call->call, Call{.seq = event.seq});
    add_text(event.seq, call->title);
  }
  if (const auto* update = std::get_if<event::ToolUpdate>(&event.body)) {
    Call& call = call_of(update->call, event.seq);
    if (update->title) add_text(call.seq, *update->title);
    if (update->content) call.content = *update->content;
  }
  if (const auto* end = std::get_if<event::ToolEnd>(&event.body)) {
    end_call(call_of(end->call, event.seq));
    calls_.erase(end->call);
  }
}

SearchedTexts::Call& SearchedTexts::call_of(const std::string& call, std::uint64_t seq) {
  return calls_.try_emplace(call, Call{.seq = seq}).first->second;
}

void SearchedTexts::end_call(const Call& call) {
  for (const ToolContent& content : call.content) {
    if (const auto* text = std::get_if<ToolText>(&content)) add_text(call.seq, without_escapes(text->text));
    if (const auto* diff = std::get_if<Diff>(&content)) add_text(call.seq, changed_lines(*diff));
  }
}

void SearchedTexts::end_calls() {
  for (const auto& [id, call] : calls_) end_call(call);
  calls_.clear();
}

void SearchedTexts::add_piece(std::string_view stream, std::uint64_t seq, std::string_view text) {
  if (stream_ != stream) {
    end_piece();
    stream_ = stream;
    seq_ = seq;
  }
  text_ += text;
}

void SearchedTexts::add_text(std::uint64_t seq, std::string_view text) {
  if (!text.empty()) take(seq, text);
}

void SearchedTexts::add_ask(std::uint64_t seq, const Ask& ask) {
  for (const std::string& text : {ask.title, ask.detail.value_or(""), ask.plan.value_or("")}) add_text(seq, text);
  if (ask.diff) add_text(seq, changed_lines(*ask.diff));
  for (const Question& question : ask.questions.value_or(std::vector<Question>())) {
    add_text(seq, question.question);
    for (const QuestionOption& option : question.options) add_text(seq, option.label + " " + option.description);
  }
}

void SearchedTexts::end_piece() {
  if (stream_.starts_with("call ")) text_ = without_escapes(text_);
  if (!text_.empty()) take(seq_, text_);
  text_.clear();
  stream_.clear();
}

void SearchedTexts::finish() {
  end_piece();
  end_calls();
}

TextSearch::TextSearch(std::string_view words) : words_(to_lower(words)) {}

std::optional<FoundText> TextSearch::newest() {
  finish();
  return found_;
}

void TextSearch::take(std::uint64_t seq, std::string_view text) {
  if (found_ && seq < found_->seq) return;  // of a call that ended late
  const std::size_t at = to_lower(text).find(words_);
  if (at != std::string::npos) found_ = FoundText{.seq = seq, .snippet = around(text, at)};
}

std::string TextLines::take_all() {
  finish();
  return std::exchange(lines_, {});
}

void TextLines::take(std::uint64_t /*seq*/, std::string_view text) {
  lines_ += as_indexed(std::string(text));
  lines_ += '\n';
}

std::string TextLines::as_indexed(std::string text) {
  std::ranges::replace(text, '\0', ' ');
  return text;
}

SearchedRange searched_range(const std::vector<Event>& events) {
  SearchedRange range;
  for (const Event& event : events) {
    const EventBody& body = event.body;
    if (holds<event::Cleared>(body)) range = {.cleared = event.seq};
    if (holds<event::TurnEnd>(body)) {
      range.ended = event.seq;
      range.begun = 0;
    }
    if (range.begun == 0 && holds<event::TurnStart, event::UserMessage>(body)) range.begun = event.seq;
  }
  return range;
}

}  // namespace parlance::hub
