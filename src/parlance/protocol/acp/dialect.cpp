// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/acp/dialect.h"

#include "parlance/base/text.h"
#include "parlance/codec/json/value.h"
#include "parlance/protocol/acp/errors.h"
#include "parlance/protocol/acp/limits.h"
#include "parlance/protocol/acp/messages.h"
#include "parlance/protocol/jsonrpc/dialect.h"

namespace parlance::acp {
namespace {

constexpr std::string_view cancel_request = "$/cancel_request";

std::unique_ptr<Dialect> envelope() {
  return jsonrpc::dialect({.cancel_method = std::string(cancel_request),
                           .cancel_member = "requestId",
                           .exact_codes = true,
                           .null_results = true,
                           .ids = jsonrpc::Ids::null_too});
}

// The answer to an invalid frame.
Error refusal(BytesView frame, const json::Value* value) {
  if (value == nullptr) return jsonrpc::with_code(code::parse_error, "Parse error");
  if (value->array() != nullptr)
    return jsonrpc::with_code(code::invalid_request, "Invalid request: JSON-RPC batches are not supported");
  return jsonrpc::with_code(code::invalid_request, "Invalid request",
                            frame.size() <= limits::repeated_bytes ? frame : BytesView{});
}

// Otherwise its id is useless: another version gives the id no meaning, and the id of a broken reply is an id of our requests.
bool is_request(const json::Value& value) {
  return value.text_or("jsonrpc", "") == "2.0" && !value.text_or("method", "").empty();
}

class AcpDialect final : public Dialect {
 public:
  AcpDialect(Side side, Flavour flavour) : side_(side), flavour_(flavour), inner_(envelope()) {}

  Message decode(BytesView frame) override {
    if (flavour_ == Flavour::iflow)
      if (const BytesView line = trim(frame); line.starts_with("//")) return control_line(line);
    Message message = inner_->decode(frame);
    switch (message.kind) {
      case MessageKind::malformed: return refuse(frame, std::move(message.id));
      case MessageKind::request:
        if (message.method == method::cancel.method) message.method = method::cancel_request.method;
        if (side_ == Side::agent && !initialized_ && message.method != method::initialize.method) return too_early(message);
        return message;
      case MessageKind::reply: initialized_ = initialized_ || side_ == Side::client; return message;
      default: return message;
    }
  }

  Message dropped(const Error& why, BytesView head) override {
    return is_banner(head) ? Message{} : malformed(jsonrpc::with_code(code::invalid_request, "Invalid request: " + why.message));
  }
  Message broken(const Error& why) override {
    return is_banner(why.data) ? Message{} : malformed(jsonrpc::with_code(code::parse_error, "Parse error: " + why.message));
  }

  Result<void> encode_request(std::string& out, const RequestId& id, std::string_view name, const wire::Type& type,
                              const void* parameters) override {
    if (name == method::cancel_request.method) name = method::cancel.method;
    return inner_->encode_request(out, id, name, type, parameters);
  }
  Result<void> encode_notice(std::string& out, std::string_view name, const wire::Type& type, const void* parameters) override {
    if (name.starts_with("//")) return out += name, Result<void>{};
    return inner_->encode_notice(out, name, type, parameters);
  }
  Result<void> encode_reply(std::string& out, const RequestId& id, std::string_view name, const wire::Type& type,
                            const void* result) override {
    if (name == method::initialize.method) initialized_ = true;
    return inner_->encode_reply(out, id, name, type, result);
  }
  Result<void> encode_error(std::string& out, const RequestId& id, std::string_view, const Error& error) override {
    out += error_reply(id, error);
    return {};
  }
  Result<void> encode_cancel(std::string& out, const RequestId& id, std::string_view reason) override {
    return inner_->encode_cancel(out, id, reason);
  }
  Capabilities capabilities() const override { return inner_->capabilities(); }

 private:
  static Message control_line(BytesView line) {
    if (line != method::iflow_ready.method) return {};
    return {.kind = MessageKind::notice, .method = method::iflow_ready.method};
  }

  bool is_banner(BytesView head) const { return side_ == Side::client && !initialized_ && !trim(head).starts_with('{'); }

  Message refuse(BytesView frame, RequestId id) {
    if (is_banner(frame)) return {};
    const auto value = json::parse(frame);
    return malformed(refusal(frame, value ? &*value : nullptr), value && is_request(*value) ? std::move(id) : RequestId{});
  }

  Message too_early(const Message& request) {
    return malformed(jsonrpc::with_code(code::invalid_request,
                                        "ACP connection must be initialized before '" + std::string(request.method) + "'"),
                     request.id);
  }

  Message malformed(Error error, RequestId id = {}) {
    error_ = std::move(error);
    return {.kind = MessageKind::malformed, .id = std::move(id), .error = &error_, .answer = true};
  }

  Side side_;
  Flavour flavour_;
  std::unique_ptr<Dialect> inner_;
  Error error_;
  bool initialized_ = false;  // `initialize` was answered: by us as an agent, to us as a client
};

}  // namespace

std::unique_ptr<Dialect> dialect(Side side, Flavour flavour) { return std::make_unique<AcpDialect>(side, flavour); }

}  // namespace parlance::acp
