// SPDX-License-Identifier: Apache-2.0
// Any bytes as ACP frames, on both sides and in both dialects. Checks: no crash, every request with a readable id is answerable,
// answers are JSON, parsed messages are written as JSON, and a reply permits only by the exact word.
#include <algorithm>
#include <cstdint>
#include <string>

#include "parlance/base/check.h"
#include "parlance/codec/json/typed.h"
#include "parlance/codec/json/value.h"
#include "parlance/protocol/acp/dialect.h"
#include "parlance/protocol/acp/errors.h"
#include "parlance/protocol/acp/messages.h"

namespace {

using namespace parlance;

template <class P>
Result<void> again(const Body* body) {
  if (body == nullptr) return {};
  P value{};
  PARLANCE_TRY_DO(body->read(wire::type_of<P>(), &value));
  const std::string text = json::to_text(value);
  PARLANCE_CHECK(json::is_valid(text), "what was read is written as JSON");
  P second{};
  PARLANCE_CHECK(json::read(text, wire::type_of<P>(), &second).has_value(), "what was written can be read");
  return {};
}

// Reads the parameters for the method of this name; unknown methods are skipped.
Result<void> read_as(const Message& message) {
  Result<void> read;
  const auto one = [&]<class M>(const M& known) {
    if (known.method == message.method) read = again<typename M::Parameters>(message.body);
  };
  acp::method::of_agent.each(one);
  acp::method::of_client.each(one);
  return read;
}

// A reply may belong to any call.
void check_decisions(const Body& body) {
  wire::Raw raw;
  if (!body.read(wire::type_of<wire::Raw>(), &raw)) return;
  const json::Value reply = json::parse_or_null(raw.json);
  acp::PermissionReply permission;
  if (body.read(wire::type_of<acp::PermissionReply>(), &permission))
    if (const auto* selected = std::get_if<acp::Selected>(&permission.outcome.value)) {
      const json::Value* const outcome = reply.find("outcome");
      PARLANCE_CHECK(outcome != nullptr && outcome->text_or("outcome", "") == "selected" &&
                         outcome->text_or("optionId", "") == selected->option_id,
                     "the chosen option");
    }
  acp::ElicitationReply form;
  if (body.read(wire::type_of<acp::ElicitationReply>(), &form) && form.action.unknown.empty() &&
      form.action.value == acp::ElicitationAction::accept)
    PARLANCE_CHECK(reply.text_or("action", "") == "accept", "an explicit accept");
  acp::iflow::PlanDecision plan;
  if (body.read(wire::type_of<acp::iflow::PlanDecision>(), &plan) && plan.approved)
    PARLANCE_CHECK(reply.boolean_or("approved", false), "an explicit approval");
}

void take(Dialect& dialect, const Message& message) {
  std::string out;
  switch (message.kind) {
    case MessageKind::request:
      if (const auto read = read_as(message); !read) {
        static_cast<void>(acp::error_text(read.error()));
        PARLANCE_CHECK(dialect.encode_error(out, message.id, message.method, read.error()).has_value(), "a refusal");
      } else {
        const acp::EmptyReply nothing;
        PARLANCE_CHECK(
            dialect.encode_reply(out, message.id, message.method, wire::type_of<acp::EmptyReply>(), &nothing).has_value(),
            "an answer");
      }
      break;
    case MessageKind::malformed:
      PARLANCE_CHECK(message.answer && !message.fatal, "no frame ends a connection");
      PARLANCE_CHECK(dialect.encode_error(out, message.id, message.method, *message.error).has_value(), "a refusal");
      break;
    case MessageKind::notice: static_cast<void>(read_as(message)); break;
    case MessageKind::reply:
      if (message.error != nullptr) static_cast<void>(acp::error_text(*message.error));
      else if (message.body != nullptr)
        check_decisions(*message.body), static_cast<void>(again<acp::InitializeResult>(message.body));
      if (message.answer)
        PARLANCE_CHECK(message.error != nullptr && dialect.encode_error(out, {}, "", *message.error).has_value(), "a refusal");
      break;
    case MessageKind::cancel:
    case MessageKind::ignored: break;
  }
  if (!out.empty()) PARLANCE_CHECK(json::is_valid(out), "an answer that is JSON");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const acp::Side side : {acp::Side::client, acp::Side::agent}) {
    for (const acp::Flavour flavour : {acp::Flavour::standard, acp::Flavour::iflow}) {
      BytesView bytes(reinterpret_cast<const char*>(data), size);
      const auto dialect = acp::dialect(side, flavour);
      while (!bytes.empty()) {
        const std::size_t end = std::min(bytes.find('\n'), bytes.size());
        take(*dialect, dialect->decode(bytes.substr(0, end)));
        bytes.remove_prefix(std::min(end + 1, bytes.size()));
      }
    }
  }
  return 0;
}
