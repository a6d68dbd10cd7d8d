// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/page/texts.h"

#include "parlance/codec/json/typed.h"
#include "parlance/codec/json/writer.h"
#include "parlance/face/page/limits.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/runtime/change.h"
#include "parlance/hub/runtime/snapshot.h"
#include "parlance/wire_form/event_tables.h"

namespace parlance::face {
namespace {

template <class Items, class F>
std::vector<wire::Raw> raw_list(const Items& items, F json_of) {
  std::vector<wire::Raw> out;
  out.reserve(items.size());
  for (const auto& item : items) out.push_back({.json = json_of(item)});
  return out;
}

struct OpMaker {
  page::Op operator()(const hub::change::ConversationChanged& c) const {
    return {page::ConversationOp{.conversation = {.json = wire_form::conversation_json(*c.conversation)}}};
  }
  page::Op operator()(const hub::change::ConversationRemoved& c) const { return {page::ConversationRemovedOp{.id = c.id}}; }
  page::Op operator()(const hub::change::AskChanged& c) const {
    return {page::AskOp{.ask = {.json = wire_form::ask_json(c.ask)}}};
  }
  page::Op operator()(const hub::change::RuleAdded& c) const {
    return {page::RuleOp{.rule = {.json = wire_form::rule_json(c.rule)}}};
  }
  page::Op operator()(const hub::change::RuleRemoved& c) const { return {page::RuleRemovedOp{.id = c.id}}; }
  page::Op operator()(const hub::change::AgentChanged& c) const {
    return {page::AgentOp{.agent = {.json = wire_form::agent_json(c.agent)}}};
  }
  page::Op operator()(const hub::change::ServiceChanged& c) const {
    return {page::ServiceOp{.service = {.json = wire_form::service_json(c.service)}}};
  }
  page::Op operator()(const hub::change::Resync&) const {
    PARLANCE_CHECK(false, "a change that is an operation");
    return {};
  }
};

}  // namespace

page::Op to_op(const hub::Change& change) { return std::visit(OpMaker{}, change); }

std::vector<wire::Raw> to_raw(std::vector<hub::EventText> events) {
  std::vector<wire::Raw> texts;
  texts.reserve(events.size());
  for (hub::EventText& event : events) texts.push_back({.json = std::move(event.event_json)});
  return texts;
}

std::vector<wire::Raw> to_raw(const std::vector<hub::Conversation>& conversations) {
  return raw_list(conversations, wire_form::conversation_json);
}

std::optional<std::string> older_of(const std::string& cursor) { return cursor.empty() ? std::nullopt : std::optional(cursor); }

page::Snapshot to_snapshot(const hub::Snapshot& state) {
  return {.agents = raw_list(state.agents, wire_form::agent_json),
          .services = raw_list(state.services, wire_form::service_json),
          .conversations = to_raw(state.conversations),
          .older = older_of(state.older),
          .asks = raw_list(state.asks, wire_form::ask_json),
          .rules = raw_list(state.rules, wire_form::rule_json)};
}

std::optional<page::Team> team_of(const hub::UserHub& hub) {
  const hub::TeamPtr all = hub.team();
  if (all == nullptr || all->users.empty()) return std::nullopt;
  page::Team team{.user = hub.caller()->user, .role = std::string(to_string(hub.caller()->role))};
  for (const hub::User& user : all->users) team.people.push_back({.id = user.id, .name = user.name});
  return team;
}

template <class Write>
PageText PageTexts::text_of(const std::shared_ptr<const void>& what, Write write) {
  if (const auto known = texts_.find(what.get()); known != texts_.end()) return known->second;
  auto text = std::make_shared<const std::string>(write());
  // A cache has no use with a single page.
  if (what.use_count() <= 2) return text;
  bytes_ += text->size();
  texts_.emplace(what.get(), text);
  kept_.push_back({.what = what, .text = text});
  while (kept_.size() > limits::page_change_texts || bytes_ > limits::page_change_text_bytes) {
    bytes_ -= kept_.front().text->size();
    texts_.erase(kept_.front().what.get());
    kept_.pop_front();
  }
  return text;
}

PageText PageTexts::op(const hub::ChangePtr& change) {
  return text_of(change, [&] { return json::to_text(to_op(*change)); });
}

PageText PageTexts::event(const hub::EventPtr& event) {
  return text_of(event, [&] { return wire_form::event_json(*event); });
}

// ---- deltas --------------------------------------------------------------------------------------------------------------

namespace {

PageText shared(std::string text) { return std::make_shared<const std::string>(std::move(text)); }

const PageText& comma() {
  static const PageText text = shared(",");
  return text;
}
const PageText& end_of_list() {  // of the operations, and of one conversation's events
  static const PageText text = shared("]}");
  return text;
}

}  // namespace

// Tests parse the message as the declared type (protocol/page/messages.h).
PageDelta PageTexts::delta(std::uint64_t seq, std::span<const PagePiece> pieces, std::size_t most_bytes) {
  PageDelta delta;
  std::string begin = R"({"type":"delta","seq":)";
  json::write_integer(begin, seq);
  begin += R"(,"ops":[)";
  delta.parts.push_back(shared(std::move(begin)));
  while (delta.pieces < pieces.size() && (delta.pieces == 0 || delta.bytes < most_bytes)) {
    if (delta.pieces != 0) delta.parts.push_back(comma());
    if (const auto* change = std::get_if<hub::ChangePtr>(&pieces[delta.pieces])) {
      delta.parts.push_back(op(*change));
      delta.bytes += delta.parts.back()->size();
      ++delta.pieces;
    } else {
      add_events(delta, pieces, most_bytes);
    }
  }
  delta.parts.push_back(end_of_list());
  return delta;
}

// Consecutive events of one conversation: a page::EventsOp.
void PageTexts::add_events(PageDelta& delta, std::span<const PagePiece> pieces, std::size_t most_bytes) {
  const auto conversation = std::get<PageEvent>(pieces[delta.pieces]).conversation;
  std::string begin = R"({"op":"events","conversation":)";
  json::write_text(begin, *conversation);
  begin += R"(,"events":[)";
  delta.parts.push_back(shared(std::move(begin)));
  for (bool first = true; delta.pieces < pieces.size() && (first || delta.bytes < most_bytes); first = false) {
    const auto* piece = std::get_if<PageEvent>(&pieces[delta.pieces]);
    if (piece == nullptr || piece->conversation != conversation) break;
    if (!first) delta.parts.push_back(comma());
    delta.parts.push_back(event(piece->event));
    delta.bytes += delta.parts.back()->size();
    ++delta.pieces;
  }
  delta.parts.push_back(end_of_list());
}

}  // namespace parlance::face
