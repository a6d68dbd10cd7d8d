// SPDX-License-Identifier: Apache-2.0
// Any bytes as lines of Claude Code's protocol, on both sides: no crash, every request with a readable id can be answered, what is
// answered is JSON; as events of a conversation; and as answers to can_use_tool, of which only an explicit allow allows.
#include <cstdint>
#include <string>

#include "parlance/base/check.h"
#include "parlance/codec/json/value.h"
#include "parlance/driver/claude/events.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/protocol/claude/agent.h"
#include "parlance/protocol/claude/dialect.h"
#include "parlance/protocol/claude/messages.h"

namespace {

using namespace parlance;

struct Sink final : driver::ClaudeEvents::Sink {
  void take(const claude::StreamLine& line) {
    PARLANCE_CHECK(json::is_valid(line.json), "a line that is JSON");
    events.line(line);
  }
  void emit(hub::EventBody) override {}
  void session(std::string_view) override {}
  void permission_mode(std::string_view) override {}
  void answered(const json::Value&) override {}
  void result(claude::TurnResult) override {}
  driver::ClaudeEvents events{*this};
};

void check_permission(const Body* body) {
  wire::Raw raw;
  if (body != nullptr) static_cast<void>(body->read(wire::type_of<wire::Raw>(), &raw));
  const auto result = claude::read_permission(raw.json);
  if (!result || !std::holds_alternative<claude::Allow>(result->value)) return;
  const json::Value reply = json::parse_or_null(raw.json);
  const json::Value* const input = reply.find("updatedInput");
  PARLANCE_CHECK(reply.text_or("behavior", "") == "allow" && (input == nullptr || input->object() != nullptr),
                 "an explicit allow");
}

void answer(Dialect& dialect, const Message& message) {
  std::string out;
  if (message.kind == MessageKind::request) {
    claude::CanUseTool asked;
    const Result<void> read = message.body->read(wire::type_of<claude::CanUseTool>(), &asked);
    if (read) {
      const claude::PermissionResult result{
          claude::Allow{.updated_input = asked.input, .updated_permissions = asked.suggestions}};
      PARLANCE_CHECK(
          dialect.encode_reply(out, message.id, message.method, wire::type_of<claude::PermissionResult>(), &result).has_value(),
          "a request can be answered");
    } else {
      PARLANCE_CHECK(dialect.encode_error(out, message.id, message.method, read.error()).has_value(), "a refusal, too");
    }
  } else if (message.kind == MessageKind::malformed && message.answer) {
    PARLANCE_CHECK(dialect.encode_error(out, message.id, message.method, *message.error).has_value(),
                   "a malformed one can be answered");
  } else if (message.kind == MessageKind::reply && message.error == nullptr) {
    check_permission(message.body);
    if (message.body == nullptr) return;
    claude::Initialized reply;
    static_cast<void>(message.body->read(wire::type_of<claude::Initialized>(), &reply));
  }
  if (!out.empty()) PARLANCE_CHECK(json::is_valid(out), "an answer that is JSON");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const claude::Side side : {claude::Side::host, claude::Side::agent}) {
    BytesView bytes(reinterpret_cast<const char*>(data), size);
    Sink sink;
    const auto dialect = claude::control_dialect(side, [](const Error&, BytesView) {});
    while (!bytes.empty()) {
      const std::size_t end = std::min(bytes.find('\n'), bytes.size());
      const Message message = dialect->decode(bytes.substr(0, end));
      if (message.kind == MessageKind::notice) sink.take(dialect->line());
      answer(*dialect, message);
      PARLANCE_CHECK(!message.fatal, "no line ends a connection");
      bytes.remove_prefix(std::min(end + 1, bytes.size()));
    }
  }
  return 0;
}
