// SPDX-License-Identifier: Apache-2.0
#include "parlance/codec/json/reader.h"
#include "parlance/codec/json/typed.h"
#include "parlance/codec/json/writer.h"
#include "parlance/protocol/gorpc/dialect.h"

namespace parlance::gorpc {
namespace {

class JsonBody final : public Body {
 public:
  std::string_view json;
  Result<void> read(const wire::Type& type, void* into) const override {
    if (json.empty() || json == "null") return {};  // a zero argument
    return json::read(json, type, into, {.loose_names = true});
  }
};

class JsonDialect final : public Dialect {
 public:
  explicit JsonDialect(Role role) : role_(role) {}

  parlance::Message decode(BytesView frame) override {
    if (!json::check_utf8(frame)) return fatal("the message is not UTF-8");
    json::Reader reader(frame);
    if (reader.peek() != json::Token::object) return fatal("the message is no JSON object");
    std::string_view id;
    std::string_view parameters;
    std::string_view error;
    body_.json = {};
    method_.clear();
    for (bool more = reader.enter_object(); more; more = reader.next_member()) {
      const std::string_view key = reader.key();
      if (key == "method" && reader.peek() == json::Token::text) reader.read_text(method_);
      else if (key == "params") reader.skip(&parameters);
      else if (key == "id") reader.skip(&id);
      else if (key == "result") reader.skip(&body_.json);
      else if (key == "error") reader.skip(&error);
      else reader.skip();
    }
    if (!reader.finish()) return fatal("at byte " + std::to_string(reader.offset()) + ": " + reader.fault());
    // Go's server echoes any id, and answers with null without an id.
    RequestId request_id = RequestId::of_raw(id.empty() ? "null" : std::string(id));
    if (role_ == Role::server) return request(std::move(request_id), parameters);
    return reply(id, error);
  }

  parlance::Message broken(const Error& why) override { return fatal(why.message); }

  Result<void> encode_request(std::string& out, const RequestId& id, std::string_view method, const wire::Type& type,
                              const void* parameters) override {
    out += R"({"method":)";
    json::write_text(out, method);
    out += R"(,"params":[)";
    json::write(out, type, parameters);
    out += R"(],"id":)";
    json::write_integer(out, id.number);
    out += '}';
    return {};
  }
  Result<void> encode_reply(std::string& out, const RequestId& id, std::string_view, const wire::Type& type,
                            const void* result) override {
    out += R"({"id":)" + id.raw + R"(,"result":)";
    json::write(out, type, result);
    out += R"(,"error":null})";
    return {};
  }
  Result<void> encode_error(std::string& out, const RequestId& id, std::string_view, const Error& error) override {
    out += R"({"id":)" + id.raw + R"(,"result":null,"error":)";
    json::write_text(out, error.message.empty() ? "error" : error.message);
    out += '}';
    return {};
  }
  Result<void> encode_notice(std::string&, std::string_view, const wire::Type&, const void*) override {
    return fail(Errc::unknown_method, "net/rpc has no notices");
  }
  Capabilities capabilities() const override { return {.notices = false, .overload_stops_reading = true}; }

 private:
  parlance::Message request(RequestId id, std::string_view parameters) {
    if (parameters.empty() || parameters == "null") return refuse(std::move(id), "jsonrpc: request body missing params");
    json::Reader reader(parameters);
    if (reader.peek() != json::Token::array)
      return refuse(std::move(id), "jsonrpc: params must be an array with the one argument");
    body_.json = {};
    if (reader.enter_array()) reader.skip(&body_.json);
    return {.kind = MessageKind::request, .id = std::move(id), .method = method_, .body = &body_};
  }

  parlance::Message reply(std::string_view id, std::string_view error) {
    std::uint64_t number = 0;
    for (const char c : id) number = c >= '0' && c <= '9' ? number * 10 + static_cast<std::uint64_t>(c - '0') : 0;
    if (!error.empty() && error != "null") {
      std::string text;
      json::Reader reader(error);
      if (reader.peek() != json::Token::text || !reader.read_text(text)) text = error;
      error_ = Error{.code = code_of_text(text), .message = std::move(text)};
      return {.kind = MessageKind::reply, .id = RequestId::of(number), .error = &error_};
    }
    return {.kind = MessageKind::reply, .id = RequestId::of(number), .body = &body_};
  }

  parlance::Message refuse(RequestId id, std::string why) {
    error_ = Error{.code = Errc::invalid_params, .message = std::move(why)};
    return {.kind = MessageKind::malformed, .id = std::move(id), .method = method_, .error = &error_, .answer = true};
  }
  // The client receives the reason before the connection ends: in JSON-RPC 1.0, an error without a call has the id null.
  parlance::Message fatal(std::string why) {
    error_ = Error{.code = Errc::disconnected, .message = std::move(why)};
    return {.kind = MessageKind::malformed,
            .id = RequestId::of_raw("null"),
            .error = &error_,
            .answer = role_ == Role::server,
            .fatal = true};
  }

  Role role_;
  std::string method_;
  JsonBody body_;
  Error error_;
};

}  // namespace

std::unique_ptr<Dialect> json_dialect(Role role) { return std::make_unique<JsonDialect>(role); }

}  // namespace parlance::gorpc
