// SPDX-License-Identifier: Apache-2.0
#include "tests/simulator/ledger.h"

#include <algorithm>
#include <iterator>
#include <ranges>
#include <utility>
#include <variant>

#include "parlance/hub/conversation/ask.h"
#include "parlance/hub/conversation/turn_event.h"
#include "parlance/hub/conversation/usage.h"
#include "tests/simulator/sentence.h"

namespace parlance::simulator {

namespace {

constexpr std::size_t most_disagreements = 20;

template <class Kind, class Use>
void each(const std::vector<hub::Event>& log, Use use) {
  for (const hub::Event& event : log)
    if (const auto* const body = std::get_if<Kind>(&event.body)) use(*body, event.seq);
}

// Pages do not show the expiry of a request.
hub::Event as_shown(hub::Event event) {
  if (auto* const confirmation = std::get_if<hub::event::ToolConfirmation>(&event.body)) confirmation->ask.expires_at.reset();
  return event;
}

}  // namespace

void Ledger::wrong(std::string what) {
  if (disagreements_.size() < most_disagreements) disagreements_.push_back(std::move(what));
}

void Ledger::begun(const std::string& conversation, const std::string& owner, hub::Access access) {
  begun_[conversation] = {.owner = owner, .access = access};
}

const std::string& Ledger::owner(const std::string& conversation) const {
  static const std::string none;
  const auto found = begun_.find(conversation);
  return found == begun_.end() ? none : found->second.owner;
}

bool Ledger::permits(const std::string& person, const std::string& conversation, hub::Permission permission) const {
  const auto found = begun_.find(conversation);
  if (found == begun_.end()) return true;
  const auto& [owner, access] = found->second;
  if (permission == hub::Permission::read && access != hub::Access::private_) return true;
  if (viewers_.contains(person)) return false;
  if (person == owner) return true;
  const bool is_work = permission != hub::Permission::change && permission != hub::Permission::remove;
  return access == hub::Access::team && is_work;
}

void Ledger::permitted(const std::string& person, const std::string& conversation, hub::Permission permission) {
  if (!permits(person, conversation, permission))
    wrong(sentence(conversation, ": a command of ", person, " ran without the permission to ", hub::to_string(permission)));
}

void Ledger::committed(const std::string& conversation, const std::string& gateway, std::uint64_t epoch, bool adopts) {
  if (adopts) adopted_.insert(conversation);
  if (conversation.empty()) return;
  Writer& last = writers_[conversation];
  if (epoch < last.epoch)
    wrong(sentence(conversation, ": ", gateway, " writes in epoch ", epoch, " after ", last.gateway, " in epoch ", last.epoch));
  if (epoch == last.epoch && gateway != last.gateway)
    wrong(sentence(conversation, ": ", gateway, " and ", last.gateway, " write in epoch ", epoch));
  last = {.gateway = gateway, .epoch = epoch};
}

void Ledger::prompt_sent(const std::string& text, const std::string& conversation, const std::string& person,
                         std::string attachment) {
  prompts_[text] = {.conversation = conversation, .person = person, .number = ++numbers_, .attachment = std::move(attachment)};
  open_.emplace(person, conversation);
}

void Ledger::prompt_taken(const std::string& text) {
  ++promises_;
  SentPrompt& prompt = prompts_.at(text);
  prompt.outcome = SentPrompt::Outcome::taken;
  open_.erase({prompt.person, prompt.conversation});
  permitted(prompt.person, prompt.conversation, hub::Permission::prompt);
}

void Ledger::prompt_refused(const std::string& text, const Error& error) {
  SentPrompt& prompt = prompts_.at(text);
  prompt.outcome = SentPrompt::Outcome::refused;
  prompt.refusal = error.message;
  open_.erase({prompt.person, prompt.conversation});
}

void Ledger::prompt_withdrawn(const std::string& text) {
  if (const auto found = prompts_.find(text); found != prompts_.end()) found->second.withdrawn = true;
}

void Ledger::prompt_lost_sight_of(const std::string& text) {
  SentPrompt& prompt = prompts_.at(text);
  prompt.outcome = SentPrompt::Outcome::unknown;
  open_.erase({prompt.person, prompt.conversation});
}

void Ledger::answer_sent(const std::string& ask, const std::string& option, const std::string& person) {
  answers_[ask].sent.emplace(option, person);
}

void Ledger::answer_counts(const hub::Ask& ask, const std::string& option, const std::string& person) {
  ++promises_;
  permitted(person, ask.conversation, hub::Permission::answer);
  std::vector<std::string>& counted = answers_[ask.id].counted;
  counted.push_back(option);
  if (counted.size() > 1) wrong(sentence("two answers to ", ask.id, " count: ", counted[0], ", ", option));
}

std::string Ledger::executed(const std::string& prompt, const std::string& session) {
  const auto sent = prompts_.find(prompt);
  if (sent == prompts_.end()) {  // the repetition of a request
    const auto known = sessions_.find(session);
    return known == sessions_.end() ? session : known->second;
  }
  SentPrompt& known = sent->second;
  if (std::exchange(known.executed, true)) wrong(sentence(known.conversation, ": agents executed \"", prompt, "\" twice"));
  if (!permits(known.person, known.conversation, hub::Permission::prompt))
    wrong(sentence(known.conversation, ": an agent executed \"", prompt, "\" of ", known.person, " without permission"));
  std::string& conversation = sessions_[session];
  if (!conversation.empty() && conversation != known.conversation) reused_.insert({conversation, known.conversation});
  return conversation = known.conversation;
}

const std::string& Ledger::attachment_of(const std::string& prompt) const {
  static const std::string none;
  const auto sent = prompts_.find(prompt);
  return sent == prompts_.end() ? none : sent->second.attachment;
}

void Ledger::wrote(const std::string& prompt, const std::string& text, std::shared_ptr<const bool> has_lied) {
  const auto sent = prompts_.find(prompt);
  if (sent == prompts_.end()) return;  // the repetition of a request
  sent->second.written += text;
  sent->second.has_lied = std::move(has_lied);
}

void Ledger::call_carried_out(const std::string& conversation, const std::string& call, bool by_rule) {
  if (by_rule) by_rule_.emplace(conversation, call);
  if (++carried_out_[conversation][call] > 1) wrong(sentence(conversation, ": the call ", call, " is carried out twice"));
}

void Ledger::followed(const hub::test::MemoryStore& store, const std::string& person, const std::string& conversation,
                      std::uint64_t last, const hub::Event& event) {
  if (is_removed(conversation)) return;
  if (!permits(person, conversation, hub::Permission::read))
    return wrong(sentence(conversation, ": ", person, " received event ", event.seq, " without permission"));
  if (event.seq != last + 1)
    return wrong(sentence(conversation, ": a follower received event ", event.seq, " after event ", last));
  const auto log = store.logs.find(conversation);
  if (log == store.logs.end() || log->second.size() < event.seq)
    return wrong(sentence(conversation, ": a follower received event ", event.seq, ", which the store does not have"));
  if (as_shown(log->second[event.seq - 1]) != as_shown(event))
    wrong(sentence(conversation, ": a follower received another event ", event.seq, " than the store has"));
}

void Ledger::compare(const hub::test::MemoryStore& store, const KeptSessions& sessions) {
  for (const auto& [conversation, log] : store.logs) {
    if (is_removed(conversation)) continue;
    compare_prompts(conversation, store, adopted_.contains(conversation) || sessions.is_adopted(conversation, store));
    compare_asks(conversation, log);
    if (!sessions.is_in_doubt(log)) compare_texts(conversation, log);
    compare_turns(conversation, log);
    sessions.compare(conversation, log, [this](std::string what) { wrong(std::move(what)); });
    if (most_tokens_) compare_limits(conversation, log);
    commands_.compare(conversation, log, [this](std::string what) { wrong(std::move(what)); });
  }
  for (const auto& [conversation, calls] : carried_out_) {
    // In doubt is the conversation of a turn without a prompt, in a session that was adopted again.
    if (!store.logs.contains(conversation) || is_removed(conversation) || reused_.contains(conversation)) continue;
    for (const auto& [call, times] : calls)
      if (!allowed_.contains(call) && !by_rule_.contains({conversation, call}))
        wrong(sentence(conversation, ": the call ", call, " is carried out without permission"));
  }
  compare_removals(store);
  sessions.compare_rows(store, [this](std::string what) { wrong(std::move(what)); });
  for (const auto& [text, prompt] : prompts_)
    if (prompt.outcome == SentPrompt::Outcome::taken && !store.logs.contains(prompt.conversation) &&
        !is_removed(prompt.conversation))
      wrong(sentence(prompt.conversation, ": the conversation of the taken prompt \"", text, "\" is gone"));
}

// The log has each taken prompt once.
void Ledger::compare_prompts(const std::string& conversation, const hub::test::MemoryStore& store, bool has_history) {
  const std::vector<hub::Event>& log = store.logs.at(conversation);
  std::map<std::string, int> found;
  std::map<std::string, std::uint64_t> newest;  // by person
  each<hub::event::UserMessage>(log, [&](const hub::event::UserMessage& message, std::uint64_t seq) {
    const auto sent = prompts_.find(message.text);
    // The session has all prompts of its earlier conversations (KeptSessions).
    if (has_history && (sent == prompts_.end() || sent->second.conversation != conversation)) return;
    if (sent == prompts_.end()) return wrong(sentence(conversation, ": nobody wrote the prompt of event ", seq));
    const SentPrompt& prompt = sent->second;
    if (prompt.conversation != conversation) wrong(sentence(conversation, ": \"", message.text, "\" was for another one"));
    if (message.by.value_or("person") != prompt.person)
      wrong(sentence(conversation, ": the log names ", message.by.value_or("nobody"), " as the author of \"", message.text, '"'));
    if (!permits(prompt.person, conversation, hub::Permission::prompt))
      wrong(sentence(conversation, ": \"", message.text, "\" of ", prompt.person, " is in the log without permission"));
    if (prompt.outcome == SentPrompt::Outcome::refused)
      wrong(sentence(conversation, ": the refused prompt \"", message.text, "\" is in the log: ", prompt.refusal));
    compare_attachment(conversation, message, store);
    if (++found[message.text] > 1) wrong(sentence(conversation, ": \"", message.text, "\" stands twice in the log"));
    std::uint64_t& last = newest[prompt.person];
    if (keeps_order_ && prompt.number < last && prompt.outcome == SentPrompt::Outcome::taken)
      wrong(sentence(conversation, ": \"", message.text, "\" comes behind a later prompt of ", prompt.person));
    last = std::max(last, prompt.number);
  });
  for (const auto& [text, prompt] : prompts_)
    if (prompt.conversation == conversation && prompt.outcome == SentPrompt::Outcome::taken && !prompt.withdrawn &&
        !found.contains(text))
      wrong(sentence(conversation, ": the taken prompt \"", text, "\" is lost"));
}

void Ledger::compare_attachment(const std::string& conversation, const hub::event::UserMessage& message,
                                const hub::test::MemoryStore& store) {
  const std::string& sent = attachment_of(message.text);
  const auto about = message.attachments.value_or(std::vector<hub::AttachmentInfo>{});
  const auto kept = about.empty() ? store.attachments.end() : store.attachments.find(about.front().id);
  const bool is_kept = kept != store.attachments.end() && kept->second.data == sent && kept->second.conversation == conversation;
  if (about.size() != (sent.empty() ? 0 : 1) || is_kept == sent.empty())
    wrong(sentence(conversation, ": the attachment of \"", message.text, "\" is lost"));
}

void Ledger::compare_removals(const hub::test::MemoryStore& store) {
  for (const auto& [conversation, is_taken] : removed_)
    if (is_taken && store.has(conversation)) wrong(sentence(conversation, ": the removed conversation is in the store"));
}

// Each request settles once, with the counted answer. A call needs an answer that allows the call.
void Ledger::compare_asks(const std::string& conversation, const std::vector<hub::Event>& log) {
  std::map<std::string, std::string> call_of;  // by request
  std::map<std::string, std::optional<std::string>> settled;
  std::set<std::pair<std::string, std::string>> allowing;  // options of requests that allow the call
  each<hub::event::ToolConfirmation>(log, [&](const hub::event::ToolConfirmation& told, std::uint64_t) {
    if (told.ask.call) call_of[told.ask.id] = *told.ask.call;
    for (const hub::AskOption& option : told.ask.options)
      if (option.kind == hub::OptionKind::allow_once || option.kind == hub::OptionKind::allow_always)
        allowing.emplace(told.ask.id, option.id);
  });
  each<hub::event::AskSettled>(log, [&](const hub::event::AskSettled& event, std::uint64_t seq) {
    if (settled.contains(event.ask) && event.state == hub::AskState::answered)
      wrong(sentence(conversation, ": ", event.ask, " is settled again by event ", seq));
    settled[event.ask] = event.chosen;
    if (event.state != hub::AskState::answered || event.by.starts_with("rule: ")) return;  // see `by_rule_`
    if (!event.chosen || !answers_[event.ask].sent.contains({*event.chosen, event.by}))
      return wrong(sentence(conversation, ": nobody gave the answer to ", event.ask, " in event ", seq));
    if (!permits(event.by, conversation, hub::Permission::answer))
      wrong(sentence(conversation, ": ", event.by, " answered ", event.ask, " without permission"));
    if (allowing.contains({event.ask, *event.chosen})) allowed_.insert(call_of[event.ask]);
  });
  for (const auto& [ask, answers] : answers_)
    if (!answers.counted.empty() && call_of.contains(ask) && settled[ask] != answers.counted.front())
      wrong(sentence(conversation, ": the answer ", answers.counted.front(), " to ", ask, " counts, and the log has ",
                     settled[ask].value_or("none")));
}

// A turn has the text of its agent, and a turn that ends well has the whole text. Drivers add the ends of paragraphs.
void Ledger::compare_texts(const std::string& conversation, const std::vector<hub::Event>& log) {
  std::string found;
  const SentPrompt* prompt = nullptr;  // of the turn; null: a repeated request
  bool has_lied = false;               // a connection: its late texts come in later turns too
  for (const hub::Event& event : log) {
    if (const auto* const message = std::get_if<hub::event::UserMessage>(&event.body)) {
      const auto sent = prompts_.find(message->text);
      prompt = sent == prompts_.end() || sent->second.conversation != conversation ? nullptr : &sent->second;
      has_lied = has_lied || (prompt != nullptr && prompt->has_lied && *prompt->has_lied);
      found.clear();
    } else if (const auto* const text = std::get_if<hub::event::Text>(&event.body)) {
      std::ranges::copy_if(text->text, std::back_inserter(found), [](char c) { return c != '\n'; });
    } else if (const auto* const end = std::get_if<hub::event::TurnEnd>(&event.body)) {
      const bool is_known = prompt != nullptr && !has_lied;
      const bool is_whole = end->stop_reason != hub::StopReason::end_turn || (prompt != nullptr && found == prompt->written);
      if (is_known && !(prompt->written.starts_with(found) && is_whole))
        wrong(sentence(conversation, ": the agent wrote \"", prompt->written, "\", and the log has \"", found, "\" before event ",
                       event.seq));
      prompt = nullptr;
    }
  }
}

// Turns do not overlap, and each begins and ends once.
void Ledger::compare_turns(const std::string& conversation, const std::vector<hub::Event>& log) {
  std::string running;
  std::map<std::string, int> begun;
  for (const hub::Event& event : log) {
    if (const auto* const start = std::get_if<hub::event::TurnStart>(&event.body)) {
      if (!running.empty()) wrong(sentence(conversation, ": event ", event.seq, " begins a turn within a turn"));
      if (++begun[start->turn] > 1) wrong(sentence(conversation, ": event ", event.seq, " begins ", start->turn, " again"));
      running = start->turn;
    } else if (const auto* const end = std::get_if<hub::event::TurnEnd>(&event.body)) {
      if (running != end->turn) wrong(sentence(conversation, ": event ", event.seq, " ends ", end->turn, ", which does not run"));
      running.clear();
    }
  }
  if (!running.empty()) wrong(sentence(conversation, ": ", running, " has no end"));
}

// The log has the use of all turns before, because use is written with its event.
void Ledger::compare_limits(const std::string& conversation, const std::vector<hub::Event>& log) {
  std::uint64_t used = 0;
  bool is_held = false;
  std::set<std::string> limits;  // requests
  for (const hub::Event& event : log) {
    if (const auto* const usage = std::get_if<hub::event::Usage>(&event.body)) used += usage->input_tokens;
    if (std::holds_alternative<hub::event::TurnStart>(event.body)) is_held = used >= *most_tokens_;
    if (const auto* const message = std::get_if<hub::event::UserMessage>(&event.body)) {
      const auto sent = prompts_.find(message->text);
      if (sent != prompts_.end() && sent->second.has_lied && *sent->second.has_lied) return;  // late texts follow
    }
    const auto* const asked = std::get_if<hub::event::ToolConfirmation>(&event.body);
    if (asked != nullptr && asked->ask.kind == hub::AskKind::limit) limits.insert(asked->ask.id);
    const auto* const settled = std::get_if<hub::event::AskSettled>(&event.body);
    if (settled != nullptr && limits.contains(settled->ask) && settled->chosen == "once") is_held = false;
    const bool is_of_agent = std::holds_alternative<hub::event::Text>(event.body) ||
                             std::holds_alternative<hub::event::ToolStart>(event.body) ||
                             std::holds_alternative<hub::event::Usage>(event.body);
    if (is_of_agent && is_held)
      return wrong(
          sentence(conversation, ": the agent works in event ", event.seq, " after ", used, " tokens, without an answer"));
  }
}

}  // namespace parlance::simulator
