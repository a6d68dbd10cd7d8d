// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/editor/dialect.h"

#include <string>

#include "parlance/base/text.h"
#include "parlance/codec/json/value.h"
#include "parlance/protocol/jsonrpc/dialect.h"

namespace parlance::editor {
namespace {

constexpr long rejected_by_person = -32002;
constexpr std::string_view parameters_member = R"("params":)";
constexpr std::string_view token_method = "initialize";

std::unique_ptr<Dialect> envelope() { return jsonrpc::dialect({.cancel_method = "cancel", .exact_codes = true}); }

bool looks_like_message(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t");
  return first != std::string_view::npos && line[first] == '{';
}

// "$.modifiedContent: missing" as editors of the bridge say it.
std::string in_words(std::string_view method, const Error& error) {
  constexpr std::string_view place = "$.";
  constexpr std::string_view missing = ": missing";
  const std::string_view message = error.message;
  std::string words = std::string(method) + ": ";
  if (!message.starts_with(place) || !message.ends_with(missing)) return words.append(message);
  return words.append("'").append(message.substr(2, message.size() - place.size() - missing.size())).append("' is missing");
}

class EditorDialect final : public Dialect {
 public:
  explicit EditorDialect(DialectHandlers handlers) : handlers_(std::move(handlers)), inner_(envelope()) {}

  Message decode(BytesView frame) override {
    if (!looks_like_message(frame)) return text(frame);
    Message message = inner_->decode(frame);
    if (message.kind == MessageKind::malformed || message.answer) return refuse(frame, std::move(message));
    if (message.kind == MessageKind::reply) {
      if (handlers_.diagnose) diagnose("Received response for request ", to_string(message.id) + contents_behind(": ", frame));
      if (message.error != nullptr) message.error = theirs(*message.error);
    }
    return message;
  }

  // An overlong line of text is dropped. An overlong message is answered.
  Message dropped(const Error& why, BytesView head) override {
    diagnose("Error reading response: ", why.message);
    return looks_like_message(head) ? inner_->dropped(why, head) : Message{};
  }
  Message broken(const Error& why) override {
    diagnose("Error reading response: ", why.message);
    return looks_like_message(why.data) ? inner_->broken(why) : Message{};
  }

  Result<void> encode_request(std::string& out, const RequestId& id, std::string_view method, const wire::Type& type,
                              const void* parameters) override {
    const std::size_t begun_at = out.size();
    const Result<void> encoded = inner_->encode_request(out, id, method, type, parameters);
    if (encoded) diagnose_request(method, BytesView(out).substr(begun_at));
    return encoded;
  }
  Result<void> encode_reply(std::string& out, const RequestId& id, std::string_view method, const wire::Type& type,
                            const void* result) override {
    return inner_->encode_reply(out, id, method, type, result);
  }
  Result<void> encode_error(std::string& out, const RequestId& id, std::string_view method, const Error& error) override {
    return inner_->encode_error(out, id, method, ours(method, error));
  }
  Result<void> encode_notice(std::string& out, std::string_view method, const wire::Type& type, const void* parameters) override {
    return inner_->encode_notice(out, method, type, parameters);
  }
  Result<void> encode_cancel(std::string& out, const RequestId& id, std::string_view reason) override {
    return inner_->encode_cancel(out, id, reason);
  }
  void late(const RequestId& id) override { diagnose("Dropped a response that nobody waits for: request ", to_string(id)); }
  Capabilities capabilities() const override { return inner_->capabilities(); }

 private:
  Message text(BytesView line) {
    if (handlers_.text) handlers_.text(line);
    return {};
  }

  Message refuse(BytesView frame, Message message) {
    const auto value = json::parse(frame);
    if (value && value->text_or("jsonrpc", "") == "2.0") return message;
    diagnose("Error reading response: ", message.error->message);
    return text(frame);
  }

  const Error* theirs(const Error& error) {
    error_ = error;
    if (jsonrpc::exact_code(error) == rejected_by_person) error_.code = Errc::denied;
    return &error_;
  }

  static Error ours(std::string_view method, const Error& error) {
    switch (error.code) {
      case Errc::invalid_params: return {.code = error.code, .message = in_words(method, error), .data = error.data};
      case Errc::denied: return jsonrpc::with_code(rejected_by_person, error.message);
      case Errc::failed:
      case Errc::not_found: return {.code = Errc::internal, .message = error.message, .data = error.data};
      default: return error;
    }
  }

  // In our own requests, the parameters are the last member.
  void diagnose_request(std::string_view method, BytesView message) {
    if (!handlers_.diagnose) return;
    const std::size_t at = message.find(parameters_member);
    const bool has_contents = at != BytesView::npos && method != token_method;
    const BytesView parameters = has_contents ? message.substr(at + parameters_member.size()) : BytesView{};
    diagnose("Sent request: ", std::string(method) + contents_behind(" ", parameters.substr(0, parameters.rfind('}'))));
  }
  std::string contents_behind(std::string_view between, BytesView what) const {
    return handlers_.contents && !what.empty() ? std::string(between).append(what) : std::string{};
  }
  void diagnose(std::string_view what, std::string_view of) {
    if (handlers_.diagnose) handlers_.diagnose("[RPC CLIENT] " + std::string(what) + std::string(of));
  }

  DialectHandlers handlers_;
  std::unique_ptr<Dialect> inner_;
  Error error_;
};

}  // namespace

std::unique_ptr<Dialect> dialect(DialectHandlers handlers) { return std::make_unique<EditorDialect>(std::move(handlers)); }

}  // namespace parlance::editor
