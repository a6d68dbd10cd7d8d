// SPDX-License-Identifier: Apache-2.0
// Any bytes as lines of the editor bridge, through its framing and its dialect, on both sides: no crash, no line of text lost, every request
// answered with JSON, what was read is written as JSON that reads the same, and a change is accepted only by that word.
#include <cstdint>
#include <string>

#include "parlance/base/check.h"
#include "parlance/codec/json/typed.h"
#include "parlance/codec/json/value.h"
#include "parlance/protocol/editor/dialect.h"
#include "parlance/protocol/editor/framing.h"
#include "parlance/protocol/editor/messages.h"

namespace {

using namespace parlance;

template <class P>
Result<void> again(const Body* body) {
  if (body == nullptr) return {};
  P value{};
  PARLANCE_TRY_DO(body->read(wire::type_of<P>(), &value));
  const std::string text = json::to_text(value);
  P second{};
  PARLANCE_CHECK(json::read(text, wire::type_of<P>(), &second).has_value(), "what was written can be read");
  PARLANCE_CHECK(json::to_text(second) == text, "and is the same");
  return {};
}

Result<void> read_as(const Message& message) {
  Result<void> read;
  const auto one = [&]<class M>(const M& known) {
    if (known.method == message.method) read = again<typename M::Parameters>(message.body);
  };
  editor::method::of_editor.each(one);
  editor::method::of_agent.each(one);
  return read;
}

void check_outcome(const Body& body) {
  wire::Raw raw;
  editor::DiffOutcome outcome;
  if (!body.read(wire::type_of<wire::Raw>(), &raw) || !body.read(wire::type_of<editor::DiffOutcome>(), &outcome)) return;
  if (outcome.outcome == editor::Outcome::accepted)
    PARLANCE_CHECK(json::parse_or_null(raw.json).text_or("outcome", "") == "accepted", "an explicit acceptance");
}

// A reply may be that of any call.
void read_reply(const Body* body) {
  if (body != nullptr) check_outcome(*body);
  editor::method::of_editor.each([&]<class M>(const M&) {
    if constexpr (requires { typename M::Reply; }) static_cast<void>(again<typename M::Reply>(body));
  });
}

void take(Dialect& dialect, const Message& message) {
  std::string out;
  if (message.kind == MessageKind::request) {
    const auto read = read_as(message);
    const editor::Done done;
    const Result<void> sent = read ? dialect.encode_reply(out, message.id, message.method, wire::type_of<editor::Done>(), &done)
                                   : dialect.encode_error(out, message.id, message.method, read.error());
    PARLANCE_CHECK(sent.has_value() && json::is_valid(out), "an answer that is JSON");
  } else if (message.kind == MessageKind::malformed) {
    PARLANCE_CHECK(message.answer && !message.fatal, "no line ends a connection");
    PARLANCE_CHECK(dialect.encode_error(out, message.id, message.method, *message.error).has_value() && json::is_valid(out),
                   "a refusal that is JSON");
  } else if (message.kind == MessageKind::notice) {
    static_cast<void>(read_as(message));
  } else if (message.kind == MessageKind::reply && message.error == nullptr) {
    read_reply(message.body);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  BytesView bytes(reinterpret_cast<const char*>(data), size);
  std::size_t texts = 0;
  const auto dialect = editor::dialect({.text = [&texts](std::string_view) { ++texts; }, .diagnose = [](std::string_view) {}});
  editor::SharedLineFraming framing(1 << 12);
  for (;;) {
    const Framing::Step step = framing.next(bytes, true);
    if (step.kind == Framing::Step::need_more || step.kind == Framing::Step::fatal) return 0;
    if (step.kind == Framing::Step::complete) {
      const std::size_t before = texts;
      const Message message = dialect->decode(step.frame);
      PARLANCE_CHECK(message.kind != MessageKind::ignored || texts == before + 1 || step.frame.find("cancel") != BytesView::npos,
                     "what is no message is text");
      take(*dialect, message);
    } else if (step.kind == Framing::Step::broken) {
      take(*dialect, dialect->dropped(*step.error, bytes.substr(0, 64)));
    }
    bytes.remove_prefix(step.consumed);
  }
}
