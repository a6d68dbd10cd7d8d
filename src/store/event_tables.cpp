#include "store/event_tables.h"

#include <utility>

#include "codec/json/typed.h"
#include "codec/json/writer.h"

namespace parlance::store {
namespace {

// The input of a call is any JSON: the table needs it as Raw.
struct ToolStartJson {
  std::string call{};
  std::string tool{};
  std::string title{};
  wire::Raw input{};
  std::optional<std::string> parent{};

  static constexpr auto wire = wire::fields(
      wire::field<&ToolStartJson::call>("call", "Unique in the conversation's turn."),
      wire::field<&ToolStartJson::tool>("tool", "Its name."), wire::field<&ToolStartJson::title>("title", "One line."),
      wire::field<&ToolStartJson::input>("input", "Any JSON."),
      wire::field<&ToolStartJson::parent>("parent", "The call of the sub-agent that makes this call."));
};

struct Head {
  std::uint64_t seq = 0;
  std::string time{};
  std::string kind{};
  static constexpr auto wire =
      wire::fields(wire::field<&Head::seq>("seq", "Number in the conversation, from 1."),
                   wire::field<&Head::time>("time", "RFC 3339, UTC."), wire::field<&Head::kind>("kind", "What happened."));
};

// In the order of EventBody's alternatives.
constexpr std::string_view kinds[] = {"turn_start",    "user_message",  "text",        "thinking_start", "thinking_content",
                                      "thinking_end",  "tool_start",    "tool_output", "tool_end",       "tool_confirmation",
                                      "user_question", "plan_approval", "ask_settled", "plan",           "usage",
                                      "mode",          "error",         "turn_end"};
static_assert(std::size(kinds) == std::variant_size_v<hub::AnyEvent>);

template <class Body>
void write_body(std::string& out, const Body& body) {
  json::write(out, wire::type_of<Body>(), &body);
}
void write_body(std::string& out, const hub::event::ToolStart& start) {
  const ToolStartJson form{.call = start.call,
                           .tool = start.tool,
                           .title = start.title,
                           .input = {start.input_json.empty() ? "null" : start.input_json},
                           .parent = start.parent};
  json::write(out, wire::type_of<ToolStartJson>(), &form);
}

template <class Body>
Result<void> read_body(std::string_view text, Body& into) {
  return json::read(text, wire::type_of<Body>(), &into);
}
Result<void> read_body(std::string_view text, hub::event::ToolStart& into) {
  PARLANCE_TRY(form, json::from_text<ToolStartJson>(text));
  into = {.call = std::move(form.call),
          .tool = std::move(form.tool),
          .title = std::move(form.title),
          .input_json = std::move(form.input.json),
          .parent = std::move(form.parent)};
  if (into.input_json == "null") into.input_json.clear();
  return {};
}

template <std::size_t Index = 0>
bool make_body(std::string_view kind, hub::EventBody& body) {
  if constexpr (Index < std::variant_size_v<hub::AnyEvent>) {
    if (kinds[Index] != kind) return make_body<Index + 1>(kind, body);
    body.emplace<Index>();
    return true;
  }
  return false;
}

}  // namespace

std::string_view kind_of(const hub::EventBody& body) { return kinds[body.index()]; }

void append_event_json(std::string& out, const hub::Event& event) {
  out += "{\"seq\":";
  json::write_integer(out, event.seq);
  out += ",\"time\":";
  json::write_text(out, event.time);
  out += ",\"kind\":\"";
  out += kind_of(event.body);
  out += "\",";
  // The body's own brace becomes the comma before its members.
  const std::size_t brace = out.size();
  std::visit([&](const auto& body) { write_body(out, body); }, event.body);
  out.erase(brace, 1);
  if (out[brace] == '}') out.erase(brace - 1, 1);
}

std::string event_json(const hub::Event& event) {
  std::string out;
  append_event_json(out, event);
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

}  // namespace parlance::store
