// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/jsonrpc/dialect.h"

#include <charconv>

#include "parlance/base/text.h"
#include "parlance/base/utf8.h"
#include "parlance/codec/json/reader.h"
#include "parlance/codec/json/typed.h"
#include "parlance/codec/json/value.h"
#include "parlance/codec/json/writer.h"
#include "parlance/protocol/jsonrpc/call_id.h"

namespace parlance::jsonrpc {
namespace {

struct CodeRow {
  Errc ours;
  int code;
};
// The first row of an Errc is sent; all rows are understood. Editors and ACP peers use -32001, -32002 and -32800.
constexpr CodeRow codes[] = {
    {Errc::invalid_request, -32600}, {Errc::invalid_request, -32700},   {Errc::unknown_method, -32601},
    {Errc::invalid_params, -32602},  {Errc::internal, -32603},          {Errc::failed, -32000},
    {Errc::disconnected, -32001},    {Errc::not_found, -32002},         {Errc::denied, -32003},
    {Errc::overloaded, -32004},      {Errc::deadline_exceeded, -32005}, {Errc::cancelled, -32800},
};

// The part behind the id in an error reply.
void write_error(std::string& out, long code, std::string_view message, std::string_view data_json) {
  out += R"(,"error":{"code":)";
  json::write_integer(out, std::int64_t{code});
  out += R"(,"message":)";
  json::write_text(out, message);
  if (!data_json.empty()) json::write_raw(out += R"(,"data":)", data_json);
  out += "}}";
}

class JsonBody final : public Body {
 public:
  std::string_view json;
  Result<void> read(const wire::Type& type, void* into) const override {
    return json::read(json, type, into, {.known_utf8 = true});
  }
};

class JsonRpcDialect final : public Dialect {
 public:
  explicit JsonRpcDialect(Settings settings) : settings_(std::move(settings)) {}

  Message decode(BytesView frame) override {
    if (settings_.lines == Lines::repaired_replies) frame = repaired(frame);
    if (settings_.lines == Lines::json_or_text && frame.find_first_not_of(" \t") != BytesView::npos &&
        frame[frame.find_first_not_of(" \t")] != '{')
      return {};
    if (!json::check_utf8(frame)) return refuse(frame, -32700, "the message is not UTF-8");
    json::Reader reader(frame);
    if (reader.peek() == json::Token::array) return malformed(-32600, "batches are not part of this protocol");
    if (reader.peek() != json::Token::object) return malformed(-32700, "the message is no JSON object");

    bool version = false;
    bool has_method = false;
    bool has_params = false;
    bool has_result = false;
    bool good_id = true;
    std::string_view error_json;
    RequestId id;
    for (bool more = reader.enter_object(); more; more = reader.next_member()) {
      const std::string_view key = reader.key();
      if (key == "jsonrpc") {
        if (reader.peek() == json::Token::text) {
          std::string_view text;
          version = reader.read_text(text, decoded_) && text == "2.0";
        } else {
          reader.skip();
        }
      } else if (key == "id") {
        good_id = settings_.ids != Ids::text_or_integer || is_good_id(reader);
        id = read_id(reader);
      } else if (key == "method" && reader.peek() == json::Token::text) {
        has_method = reader.read_text(method_, decoded_method_);
      } else if (key == "params") {
        has_params = reader.skip(&body_.json);
      } else if (key == "result") {
        has_result = reader.skip(&body_.json);
      } else if (key == "error") {
        reader.skip(&error_json);
      } else {
        reader.skip();
      }
    }
    if (!reader.finish()) return refuse(frame, -32700, "at byte " + std::to_string(reader.offset()) + ": " + reader.fault());
    if (!version) return refuse(frame, -32600, "\"jsonrpc\" must be \"2.0\"", std::move(id));
    if (has_method) {
      if (!good_id) return malformed(-32600, "\"id\" must be text or an integer");
      if (!id.present && method_ == settings_.cancel_method && has_params) return cancel();
      if (has_params && body_.json.front() != '{' && body_.json.front() != '[' && body_.json != "null")
        return malformed(-32600, "\"params\" must be an object", std::move(id));
      return {.kind = id.present ? MessageKind::request : MessageKind::notice,
              .id = std::move(id),
              .method = method_,
              .body = has_params && body_.json != "null" ? &body_ : nullptr};
    }
    if (!error_json.empty() && error_json != "null") {
      error_ = read_error(error_json);
      return {.kind = MessageKind::reply, .id = id_of_call(std::move(id)), .error = &error_};
    }
    if (has_result) return {.kind = MessageKind::reply, .id = id_of_call(std::move(id)), .body = result()};
    return refuse(frame, -32600, "neither a request nor a reply: it has no method, no result and no error", std::move(id));
  }

  Message dropped(const Error& why, BytesView head) override {
    if (settings_.lines == Lines::json_or_text && (head.empty() || head.front() != '{')) return {};
    return refuse(head, -32600, why.message);
  }

  Message broken(const Error& why) override {
    if (settings_.lines == Lines::json_or_text && (why.data.empty() || why.data.front() != '{')) return {};
    return malformed(-32700, why.message);
  }

  Result<void> encode_request(std::string& out, const RequestId& id, std::string_view method, const wire::Type& type,
                              const void* parameters) override {
    out += R"({"jsonrpc":"2.0","id":)";
    write_id(out, id);
    write_call(out, method, type, parameters);
    return {};
  }
  Result<void> encode_notice(std::string& out, std::string_view method, const wire::Type& type, const void* parameters) override {
    out += R"({"jsonrpc":"2.0")";
    write_call(out, method, type, parameters);
    return {};
  }
  Result<void> encode_reply(std::string& out, const RequestId& id, std::string_view, const wire::Type& type,
                            const void* result) override {
    out += R"({"jsonrpc":"2.0","id":)";
    write_id(out, id);
    out += R"(,"result":)";
    json::write(out, type, result);
    out += '}';
    return {};
  }
  Result<void> encode_error(std::string& out, const RequestId& id, std::string_view, const Error& error) override {
    out += R"({"jsonrpc":"2.0","id":)";
    write_id(out, id);
    const std::optional<long> own = settings_.exact_codes && exact_code_ == 0 ? exact_code(error) : std::nullopt;
    const std::string_view data = own ? exact_data(error) : std::string_view(error.data);
    write_error(out, exact_code_ != 0 ? std::exchange(exact_code_, 0) : own.value_or(code_of(error.code)), error.message, data);
    return {};
  }
  Result<void> encode_cancel(std::string& out, const RequestId& id, std::string_view reason) override {
    if (settings_.cancel_method.empty()) return Dialect::encode_cancel(out, id, reason);
    out += R"({"jsonrpc":"2.0","method":)";
    json::write_text(out, settings_.cancel_method);
    out += R"(,"params":{")";
    out += settings_.cancel_member;
    out += "\":";
    write_id(out, id);
    out += "}}";
    return {};
  }
  Capabilities capabilities() const override {
    const bool cancels = !settings_.cancel_method.empty();
    return {.cancels = cancels, .answers_cancelled = cancels && settings_.answers_cancelled};
  }

 private:
  Message malformed(int code, std::string what, RequestId id = {}) {
    error_ = Error{.code = Errc::invalid_request, .message = std::move(what)};
    exact_code_ = code;
    return {.kind = MessageKind::malformed, .id = std::move(id), .error = &error_, .answer = true};
  }

  // An invalid frame. If the frame was meant as the reply to a call, the call ends with the error.
  Message refuse(BytesView frame, int code, std::string what, RequestId id = {}) {
    const RequestId call = replied_to(frame);
    if (!call.present) return malformed(code, std::move(what), std::move(id));
    error_ = Error{.code = Errc::invalid_request, .message = "the reply is no valid JSON-RPC response: " + std::move(what)};
    return {.kind = MessageKind::reply, .id = call, .error = &error_, .answer = true};
  }

  // The call of an invalid reply. Absent: the frame has a method, or no sign of a reply.
  RequestId replied_to(BytesView frame) const {
    const std::string text = to_valid_utf8(frame);
    json::Reader reader(text);
    RequestId id;
    bool has_outcome = false;
    bool has_version = false;  // otherwise a line may be a log entry with an `id` member
    if (reader.peek() != json::Token::object) return {};
    for (bool more = reader.enter_object(); more; more = reader.next_member()) {
      if (reader.key() == "method") return {};
      has_outcome = has_outcome || reader.key() == "result" || reader.key() == "error";
      has_version = has_version || reader.key() == "jsonrpc";
      if (reader.key() == "id") id = id_of_call(read_id(reader));
      else reader.skip();
    }
    // Calls of ours have numbers. A method may follow the fault.
    return id.raw.empty() && (has_outcome || (has_version && reader.finish())) ? id : RequestId{};
  }

  // A reply to a call of ours without the typical faults of servers. Such faults are words before the JSON on the same line, and
  // bytes outside UTF-8 (replaced by U+FFFD, as in the official SDKs). Other frames are returned unchanged and judged as
  // received.
  BytesView repaired(BytesView frame) {
    const std::size_t first = frame.find_first_not_of(" \t");
    const std::size_t brace = first == BytesView::npos || frame[first] == '{' ? BytesView::npos : frame.find("{\"");
    if (brace == BytesView::npos && json::check_utf8(frame)) return frame;
    const BytesView whole = brace == BytesView::npos ? frame : frame.substr(brace);
    if (!replied_to(whole).present) return frame;
    repaired_ = to_valid_utf8(whole);
    return repaired_;
  }

  RequestId id_of_call(RequestId id) const {
    const bool is_number = id.raw.empty() || settings_.lines != Lines::repaired_replies;
    const std::optional<std::uint64_t> number = is_number ? std::nullopt : call_number(id.raw);
    return number ? RequestId::of(*number) : std::move(id);
  }

  static bool is_good_id(json::Reader reader) {  // looks ahead: the reader is a copy
    if (reader.peek() == json::Token::text) return true;
    return reader.peek() == json::Token::number && reader.read_number().find_first_of(".eE") == std::string_view::npos;
  }

  const Body* result() const { return settings_.null_results && body_.json == "null" ? nullptr : &body_; }

  RequestId read_id(json::Reader& reader) const {
    if (reader.peek() == json::Token::null) {
      reader.read_null();
      // Errors without a known request have this id; for a request, null is discouraged, and counts as missing if unused.
      return settings_.ids == Ids::null_too ? RequestId::of_raw("null") : RequestId{};
    }
    std::string_view raw;
    if (!reader.skip(&raw)) return {};
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(raw.data(), raw.data() + raw.size(), number);
    if (error == std::errc{} && end == raw.data() + raw.size()) return RequestId::of(number);
    return RequestId::of_raw(std::string(raw));
  }

  static void write_id(std::string& out, const RequestId& id) {
    if (!id.present) out += "null";
    else if (!id.raw.empty()) out += id.raw;
    else json::write_integer(out, id.number);
  }

  static void write_call(std::string& out, std::string_view method, const wire::Type& type, const void* parameters) {
    out += R"(,"method":)";
    json::write_text(out, method);
    out += R"(,"params":)";
    json::write(out, type, parameters);
    out += '}';
  }

  Message cancel() {
    json::Reader reader(body_.json);
    RequestId id;
    for (bool more = reader.enter_object(); more; more = reader.next_member()) {
      if (reader.key() == settings_.cancel_member) id = read_id(reader);
      else reader.skip();
    }
    if (!reader.ok() || !id.present) return {};
    return {.kind = MessageKind::cancel, .id = std::move(id)};
  }

  static Error read_error(std::string_view json) {
    const auto value = json::parse(json);
    if (!value) return {.code = Errc::failed, .message = "an error that could not be read"};
    const auto code = static_cast<long>(value->integer_or("code", 0));
    Error error{.code = from_code(code),
                .message = value->text() != nullptr ? *value->text() : std::string(value->text_or("message", "no message"))};
    const json::Value* data = value->find("data");
    json::Object kept;
    kept.set("code", std::int64_t{code});
    if (data != nullptr) kept.set("data", *data);
    error.data = json::to_text(json::Value(std::move(kept)));
    return error;
  }

  Settings settings_;
  std::string_view method_;
  std::string decoded_method_;
  std::string decoded_;
  std::string repaired_;  // the current frame after a repair
  JsonBody body_;
  Error error_;
  int exact_code_ = 0;  // of the malformed message being answered: -32700 and -32600 are the same Errc
};

}  // namespace

std::string error_reply(std::string_view id_json, long code, std::string_view message, std::string_view data_json) {
  std::string out = R"({"jsonrpc":"2.0","id":)";
  out += id_json.empty() ? "null" : id_json;
  write_error(out, code, message, data_json);
  return out;
}

int code_of(Errc code) {
  for (const CodeRow& row : codes)
    if (row.ours == code) return row.code;
  return -32603;
}

Errc from_code(long code) {
  for (const CodeRow& row : codes)
    if (row.code == code) return row.ours;
  return Errc::failed;
}

Error with_code(long code, std::string message, std::string_view data_json) {
  Error error{.code = from_code(code), .message = std::move(message)};
  error.data = R"({"code":)" + std::to_string(code);
  if (!data_json.empty()) (error.data += R"(,"data":)") += data_json;
  error.data += '}';
  return error;
}

namespace {
struct OwnCode {
  std::optional<long> code;
  std::string_view data;
};
OwnCode own_code(std::string_view json) {
  OwnCode own;
  json::Reader reader(json);
  if (json.empty() || reader.peek() != json::Token::object) return own;
  for (bool more = reader.enter_object(); more; more = reader.next_member()) {
    if (reader.key() == "code" && reader.peek() == json::Token::number) own.code = parse_number<long>(reader.read_number());
    else if (reader.key() == "data") reader.skip(&own.data);
    else reader.skip();
  }
  return own;
}
}  // namespace

std::optional<long> exact_code(const Error& error) { return own_code(error.data).code; }
std::string_view exact_data(const Error& error) { return own_code(error.data).data; }

std::unique_ptr<Dialect> dialect(Settings settings) { return std::make_unique<JsonRpcDialect>(std::move(settings)); }

}  // namespace parlance::jsonrpc
