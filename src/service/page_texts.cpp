#include "service/page_texts.h"

#include "base/limits.h"
#include "codec/json/typed.h"
#include "store/event_tables.h"

namespace parlance::service {
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
    return {page::ConversationOp{.conversation = {.json = store::conversation_json(c.conversation)}}};
  }
  page::Op operator()(const hub::change::ConversationRemoved& c) const { return {page::ConversationRemovedOp{.id = c.id}}; }
  page::Op operator()(const hub::change::EventsAppended& c) const {
    return {page::EventsOp{.conversation = c.conversation, .events = raw_list(c.events, store::event_json)}};
  }
  page::Op operator()(const hub::change::AskChanged& c) const { return {page::AskOp{.ask = {.json = store::ask_json(c.ask)}}}; }
  page::Op operator()(const hub::change::RuleAdded& c) const {
    return {page::RuleOp{.rule = {.json = store::rule_json(c.rule)}}};
  }
  page::Op operator()(const hub::change::RuleRemoved& c) const { return {page::RuleRemovedOp{.id = c.id}}; }
  page::Op operator()(const hub::change::AgentChanged& c) const {
    return {page::AgentOp{.agent = {.json = store::agent_json(c.agent)}}};
  }
  page::Op operator()(const hub::change::ServiceChanged& c) const {
    return {page::ServiceOp{.service = {.json = store::service_json(c.service)}}};
  }
  page::Op operator()(const hub::change::Resync&) const {
    PARLANCE_CHECK(false, "a change that is an operation");
    return {};
  }
};

}  // namespace

page::Op to_op(const hub::Change& change) { return std::visit(OpMaker{}, change); }

page::Snapshot to_snapshot(const hub::Snapshot& state) {
  return {.agents = raw_list(state.agents, store::agent_json),
          .services = raw_list(state.services, store::service_json),
          .conversations = raw_list(state.conversations, store::conversation_json),
          .asks = raw_list(state.asks, store::ask_json),
          .rules = raw_list(state.rules, store::rule_json)};
}

PageText PageTexts::op(const hub::ChangePtr& change) {
  if (const auto known = texts_.find(change.get()); known != texts_.end()) return known->second;
  auto text = std::make_shared<const std::string>(json::to_text(to_op(*change)));
  // One page alone profits nothing from keeping it.
  if (change.use_count() <= 1) return text;
  bytes_ += text->size();
  texts_.emplace(change.get(), text);
  kept_.push_back({.change = change, .text = text});
  while (kept_.size() > limits::page_change_texts || bytes_ > limits::page_change_text_bytes) {
    bytes_ -= kept_.front().text->size();
    texts_.erase(kept_.front().change.get());
    kept_.pop_front();
  }
  return text;
}

}  // namespace parlance::service
