// SPDX-License-Identifier: Apache-2.0
// Any frames into every dialect, and what comes out read into a declared message and answered: no crash, no runaway memory, and
// answers that the other side can read.
#include <cstdint>
#include <memory>
#include <string>

#include "parlance/base/check.h"
#include "parlance/codec/gob/message.h"
#include "parlance/codec/gob/type_pool.h"
#include "parlance/codec/json/typed.h"
#include "parlance/codec/json/value.h"
#include "parlance/protocol/gorpc/dialect.h"
#include "parlance/protocol/gorpc/messages.h"
#include "parlance/protocol/jsonrpc/dialect.h"
#include "parlance/protocol/page/messages.h"

namespace {

using namespace parlance;

void handle(Dialect& dialect, const Message& message, bool json) {
  std::string out;
  if (message.kind == MessageKind::request) {
    gorpc::ChatArgs args;
    const Result<void> read =
        message.body != nullptr ? message.body->read(wire::type_of<gorpc::ChatArgs>(), &args) : Result<void>{};
    const gorpc::ChatReply reply{.content = args.messages.empty() ? "" : args.messages.back().content};
    const Result<void> sent =
        read ? dialect.encode_reply(out, message.id, message.method, wire::type_of<gorpc::ChatReply>(), &reply)
             : dialect.encode_error(out, message.id, message.method, read.error());
    PARLANCE_CHECK(sent.has_value(), "a request can be answered");
    if (json) PARLANCE_CHECK(json::is_valid(out), "an answer that is JSON");
  } else if (message.kind == MessageKind::malformed) {
    PARLANCE_CHECK(message.error != nullptr, "a reason");
    if (message.answer) {
      PARLANCE_CHECK(dialect.encode_error(out, message.id, message.method, *message.error).has_value(),
                     "a malformed message can be answered");
      if (json) PARLANCE_CHECK(json::is_valid(out), "an answer that is JSON");
    }
  } else if (message.kind == MessageKind::reply && message.body != nullptr) {
    gorpc::StatsReply stats;
    static_cast<void>(message.body->read(wire::type_of<gorpc::StatsReply>(), &stats));
  }
}

void feed_lines(Dialect& dialect, BytesView bytes) {
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    const Message message = dialect.decode(bytes.substr(0, end));
    handle(dialect, message, true);
    if (message.fatal) return;
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
}

void feed_gob(Dialect& dialect, BytesView bytes) {
  while (!bytes.empty()) {
    const gob::Split split = gob::split_message(bytes, 1 << 20);
    if (split.state != gob::Split::State::message) return;
    const Message message = dialect.decode(split.message);
    handle(dialect, message, false);
    if (message.fatal) return;
    bytes.remove_prefix(split.consumed);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  const BytesView bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 6) {
    case 0: feed_lines(*jsonrpc::dialect({.cancel_method = "$/cancelRequest"}), bytes); break;
    case 1: feed_lines(*jsonrpc::dialect({.lines = jsonrpc::Lines::json_or_text}), bytes); break;
    case 2: feed_lines(*gorpc::json_dialect(gorpc::Role::server), bytes); break;
    case 3: feed_gob(*gorpc::gob_dialect(gorpc::Role::server, std::make_shared<gob::TypePool>()), bytes); break;
    case 4: feed_gob(*gorpc::gob_dialect(gorpc::Role::client, std::make_shared<gob::TypePool>()), bytes); break;
    default: {
      const auto message = json::from_text<page::PageMessage>(bytes);
      if (message)
        PARLANCE_CHECK(json::from_text<page::PageMessage>(json::to_text(*message)).has_value(), "what is written can be read");
    }
  }
  return 0;
}
