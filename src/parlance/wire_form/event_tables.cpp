// SPDX-License-Identifier: Apache-2.0
#include "parlance/wire_form/event_tables.h"

#include <utility>

#include "parlance/codec/json/typed.h"
#include "parlance/codec/json/writer.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/wire_form/conversation_tables.h"

namespace parlance::wire_form {
namespace {

struct Head {
  std::uint64_t seq = 0;
  std::string time{};
  std::string kind{};
  static constexpr auto wire = wire::fields(wire::field<&Head::seq>("seq", "Number in the conversation, counted from 1."),
                                            wire::field<&Head::time>("time", "Time of the event, RFC 3339 in UTC."),
                                            wire::field<&Head::kind>("kind", "Kind of the event."));
};

template <class Body>
concept HasForm = requires { typename wire::Describe<Body>::Form; };

template <class Body>
constexpr wire::Alternative alternative_of() {
  if constexpr (HasForm<Body>) return {wire::Describe<Body>::tag, &wire::type_of<typename wire::Describe<Body>::Form>};
  else return {wire::Describe<Body>::tag, &wire::type_of<Body>};
}

// In the order of EventBody's alternatives.
constexpr auto kinds = []<class... Body>(std::type_identity<std::variant<Body...>>) {
  return std::array{alternative_of<Body>()...};
}(std::type_identity<hub::AnyEvent>{});

constexpr bool all_different() {
  for (std::size_t i = 0; i < kinds.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (kinds[i].tag == kinds[j].tag) return false;
  return true;
}
static_assert(all_different(), "two events have one tag");

template <class Body>
void write_body(std::string& out, const Body& body) {
  if constexpr (HasForm<Body>) out += json::to_text(wire_form::of(body));
  else json::write(out, wire::type_of<Body>(), &body);
}

template <class Body>
Result<void> read_body(std::string_view text, Body& into) {
  if constexpr (HasForm<Body>) {
    PARLANCE_TRY(read, json::from_text<typename wire::Describe<Body>::Form>(text));
    into = wire_form::from(std::move(read));
    return {};
  } else {
    return json::read(text, wire::type_of<Body>(), &into);
  }
}

template <std::size_t Index = 0>
bool make_body(std::string_view kind, hub::EventBody& body) {
  if constexpr (Index < std::variant_size_v<hub::AnyEvent>) {
    if (kinds[Index].tag != kind) return make_body<Index + 1>(kind, body);
    body.emplace<Index>();
    return true;
  }
  return false;
}

}  // namespace

const wire::Type& event_type() {
  static constexpr wire::TaggedOps ops{.tag_field = "kind",
                                       .alternatives = [] { return std::span<const wire::Alternative>(kinds); },
                                       .index = nullptr,
                                       .get = nullptr,
                                       .emplace = nullptr,
                                       .has_other = true};
  static constexpr wire::Type type{.kind = wire::Kind::tagged, .name = "Event", .tagged = &ops};
  return type;
}

std::string event_json(const hub::Event& event) {
  std::string out = "{\"seq\":";
  json::write_integer(out, event.seq);
  out += ",\"time\":";
  json::write_text(out, event.time);
  out += ",\"kind\":\"";
  out += kinds[event.body.index()].tag;
  out += "\",";
  // The body's own brace becomes the comma before its members.
  const std::size_t brace = out.size();
  std::visit([&](const auto& body) { write_body(out, body); }, event.body);
  out.erase(brace, 1);
  if (out[brace] == '}') out.erase(brace - 1, 1);
  return out;
}

Result<hub::Event> event_from_json(std::string_view text) {
  PARLANCE_TRY(head, json::from_text<Head>(text));
  hub::Event event{.seq = head.seq, .time = std::move(head.time)};
  if (!make_body(head.kind, event.body)) return fail(Errc::invalid_params, "$.kind: unknown: " + head.kind);
  PARLANCE_TRY_DO(std::visit([&](auto& body) { return read_body(text, body); }, event.body));
  return event;
}

std::string conversation_json(const hub::Conversation& conversation) { return json::to_text(conversation); }
std::string ask_json(const hub::Ask& ask) { return json::to_text(ask); }
std::string rule_json(const hub::Rule& rule) { return json::to_text(rule); }
std::string agent_json(const hub::AgentInfo& agent) { return json::to_text(agent); }
std::string service_json(const hub::ServiceInfo& service) { return json::to_text(service); }

}  // namespace parlance::wire_form
