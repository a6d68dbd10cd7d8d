// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/claude/dialect.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "parlance/base/text.h"
#include "parlance/base/utf8.h"
#include "parlance/codec/json/reader.h"
#include "parlance/codec/json/typed.h"
#include "parlance/codec/json/writer.h"
#include "parlance/protocol/claude/lost_lines.h"

namespace parlance::claude {
namespace {

using json::Reader;
using json::Token;

// Requests without an id are served, and answered without an id (2.1.112, interrupt). A blank is not JSON, so no real id equals
// this value.
constexpr const char* no_id = " ";
constexpr std::string_view id_prefix = "req_";
constexpr std::size_t lost_head_bytes = 200;  // of a line outside the protocol: enough to recognise the line

struct CodeRow {
  Errc ours;
  std::string_view code;  // error_code of 2.1.329
};
// The requests served by each side; for other lines, the subtype decides.
constexpr std::string_view of_agent[] = {"initialize", "set_permission_mode", "set_model",  "set_max_thinking_tokens",
                                         "interrupt",  "mcp_status",          "mcp_message"};
constexpr std::string_view of_host[] = {"can_use_tool", "hook_callback", "mcp_message"};

constexpr CodeRow codes[] = {
    {Errc::unknown_method, "unsupported_request"}, {Errc::invalid_params, "invalid_mode"}, {Errc::denied, "bypass_not_launched"}};

class LineBody final : public Body {
 public:
  std::string_view json;
  Result<void> read(const wire::Type& type, void* into) const override {
    if (type.kind == wire::Kind::raw) {  // already parsed
      static_cast<wire::Raw*>(into)->json.assign(json);
      return {};
    }
    return json::read(json, type, into, {.known_utf8 = true});
  }
};

std::string_view text_or_nothing(Reader& reader, std::string& decoded) {
  std::string_view text;
  if (reader.peek() == Token::text) reader.read_text(text, decoded);
  else reader.skip();
  return text;
}

class Control final : public ControlDialect {
 public:
  Control(Side side, LostLine lost) : side_(side), lost_(std::move(lost)) {}

  const DialectStats& stats() const override { return stats_; }
  const StreamLine& line() const override { return line_; }

  Message decode(BytesView frame) override {
    if (frame.starts_with("\xEF\xBB\xBF")) frame.remove_prefix(3);
    if (frame.find_first_not_of(" \t\r") == BytesView::npos) return {};
    ++stats_.lines;
    if (!json::check_utf8(frame)) {
      ++stats_.mended_utf8;
      mended_ = to_valid_utf8(frame);
      frame = mended_;
    }
    line_head_ = frame.substr(0, lost_head_bytes);
    Reader reader(frame);
    if (reader.peek() != Token::object) {
      reader.skip();
      return lost(reader.finish() ? "the line is no JSON object" : "the line is no JSON", frame);
    }
    line_ = {.json = frame};
    std::string_view request;
    std::string_view response;
    std::string_view id;
    method_ = {};
    for (bool more = reader.enter_object(); more; more = reader.next_member()) {
      const std::string_view key = reader.key();
      if (key == "type") line_.type = text_or_nothing(reader, type_);
      else if (key == "event") reader.skip(&line_.event);
      else if (key == "message") reader.skip(&line_.message);
      else if (key == "session_id") line_.session_id = text_or_nothing(reader, session_);
      else if (key == "parent_tool_use_id") line_.parent = text_or_nothing(reader, parent_);
      else if (key == "subtype") line_.subtype = text_or_nothing(reader, subtype_);
      else if (key == "request") request = read_request(reader, frame);
      else if (key == "response") reader.skip(&response);
      else if (key == "request_id") reader.skip(&id);
      else reader.skip();
    }
    if (!reader.finish()) return lost("at byte " + std::to_string(reader.offset()) + ": the line is no JSON", frame);
    if (line_.type == "control_request") return request_of(id, request);
    if (line_.type == "control_response") return reply_of(response);
    if (line_.type == "control_cancel_request") return cancel_of(id);
    if (line_.type.empty()) return lost("a line without a type", frame);
    ++stats_.stream_lines;
    return {.kind = MessageKind::notice};
  }

  Result<void> encode_request(std::string& out, const RequestId& id, std::string_view method, const wire::Type& type,
                              const void* parameters) override {
    out += R"({"type":"control_request","request_id":")";
    out += id_prefix;
    json::write_integer(out, id.number);
    out += R"(","request":{"subtype":)";
    json::write_text(out, method);
    write_members(out, type, parameters);
    out += '}';
    return {};
  }
  Result<void> encode_notice(std::string& out, std::string_view method, const wire::Type& type, const void* parameters) override {
    if (method.empty()) {  // a line without changes
      json::write(out, type, parameters);
      return {};
    }
    out += R"({"type":)";
    json::write_text(out, method);
    write_members(out, type, parameters);
    return {};
  }
  Result<void> encode_reply(std::string& out, const RequestId& id, std::string_view, const wire::Type& type,
                            const void* result) override {
    begin_reply(out, id, "success");
    if (type.kind != wire::Kind::raw || !static_cast<const wire::Raw*>(result)->json.empty()) {
      out += R"(,"response":)";
      json::write(out, type, result);
    }
    out += "}}";
    return {};
  }
  Result<void> encode_error(std::string& out, const RequestId& id, std::string_view, const Error& error) override {
    begin_reply(out, id, "error");
    out += R"(,"error":)";
    json::write_text(out, error.message);
    if (const std::string_view code = error_code_of(error.code); !code.empty()) {
      out += R"(,"error_code":)";
      json::write_text(out, code);
    }
    out += "}}";
    return {};
  }
  Result<void> encode_cancel(std::string& out, const RequestId& id, std::string_view) override {
    out += R"({"type":"control_cancel_request","request_id":")";
    out += id_prefix;
    json::write_integer(out, id.number);
    out += "\"}";
    return {};
  }
  Message dropped(const Error& why, BytesView head) override {
    report_lost(why, head);
    return {.kind = MessageKind::malformed, .error = &why};
  }
  Capabilities capabilities() const override { return {.cancels = side_ == Side::agent}; }

 private:
  Message malformed(std::string why, std::string_view id = {}, Errc code = Errc::invalid_request) {
    error_ = {.code = code, .message = std::move(why)};
    return {.kind = MessageKind::malformed, .id = id_of(id), .error = &error_, .answer = !id.empty()};
  }
  // A call with an unreadable reply ends with an error: the call must not wait for another reply.
  Message lost(std::string why, BytesView line) {
    Message message = malformed(std::move(why));
    report_lost(error_, line_head_);
    const std::size_t at = line.find(id_prefix);
    if (at == BytesView::npos || line.find("control_response") == BytesView::npos) return message;
    const BytesView digits = line.substr(at + id_prefix.size());
    const auto call = parse_number<std::uint64_t>(digits.substr(0, digits.find('"')));
    return call ? Message{.kind = MessageKind::reply, .id = RequestId::of(*call), .error = &error_} : message;
  }
  void report_lost(const Error& why, BytesView head) {
    lost_lines_.add(why, head);
    if (lost_) lost_(why, head);
  }
  static RequestId id_of(std::string_view raw) {
    return RequestId::of_raw(raw.empty() || raw == "null" ? no_id : std::string(raw));
  }

  // Reads the subtype in passing; then the whole request is read as this type.
  std::string_view read_request(Reader& reader, BytesView frame) {
    std::string_view request;
    if (reader.peek() != Token::object) {
      reader.skip(&request);
      return request;
    }
    const std::size_t begin = reader.offset();
    for (bool more = reader.enter_object(); more; more = reader.next_member()) {
      if (reader.key() == "subtype") method_ = text_or_nothing(reader, decoded_method_);
      else reader.skip();
    }
    return frame.substr(begin, reader.offset() - begin);
  }

  Message request_of(std::string_view id, std::string_view request) {
    if (request.empty() || request.front() != '{') return malformed("Missing request on control_request", id);
    if (method_.empty()) return malformed("a control_request without a subtype", id);
    RequestId name = id_of(id);
    if (name.raw != no_id && !now_running(name.raw)) {
      ++stats_.duplicates;
      return {};
    }
    body_.json = request;
    const bool served = side_ == Side::agent ? std::ranges::find(of_agent, method_) != std::end(of_agent)
                                             : std::ranges::find(of_host, method_) != std::end(of_host);
    return {.kind = MessageKind::request, .id = std::move(name), .method = served ? method_ : other_request, .body = &body_};
  }

  Message reply_of(std::string_view response) {
    if (response.empty() || response.front() != '{') return malformed("a control_response without a response");
    std::string_view id;
    std::string_view payload;
    std::string_view state;
    std::string_view code;
    error_.message.clear();
    Reader reader(response);
    for (bool more = reader.enter_object(); more; more = reader.next_member()) {
      const std::string_view key = reader.key();
      if (key == "subtype") state = text_or_nothing(reader, subtype_);
      else if (key == "request_id") id = text_or_nothing(reader, session_);
      else if (key == "response") reader.skip(&payload);
      else if (key == "error" && reader.peek() == Token::text) reader.read_text(error_.message);
      else if (key == "error_code") code = text_or_nothing(reader, parent_);
      else reader.skip();
    }
    RequestId call;
    if (id.starts_with(id_prefix)) call = RequestId::of(parse_number<std::uint64_t>(id.substr(id_prefix.size())).value_or(0));
    if (state == "error") {
      if (error_.message.empty()) error_.message = "the other side refused";
      error_.code = code_of(code, error_.message);
      error_.data.clear();
      return {.kind = MessageKind::reply, .id = call, .error = &error_};
    }
    if (state != "success") {
      error_ = {.code = Errc::invalid_request, .message = "the reply is neither a success nor an error"};
      return {.kind = MessageKind::reply, .id = call, .error = &error_};
    }
    body_.json = payload;
    return {.kind = MessageKind::reply, .id = call, .body = payload.empty() || payload == "null" ? nullptr : &body_};
  }

  Message cancel_of(std::string_view id) {
    if (id.empty()) return malformed("a cancel without a request_id");
    no_longer_running(id);
    return {.kind = MessageKind::cancel, .id = id_of(id)};
  }

  // Appends the members of an object to `out`, and its end.
  static void write_members(std::string& out, const wire::Type& type, const void* object) {
    const std::size_t begin = out.size();
    json::write(out, type, object);
    if (out.size() <= begin + 2 || out[begin] != '{') {  // an empty object, or a value without members
      out.resize(begin);
      out += '}';
      return;
    }
    out[begin] = ',';
  }

  bool now_running(const std::string& id) {  // false: already running
    if (std::ranges::find(running_, id) != running_.end()) return false;
    running_.push_back(id);
    return true;
  }
  void no_longer_running(std::string_view id) {
    const auto found = std::ranges::find(running_, id);
    if (found == running_.end()) return;
    std::swap(*found, running_.back());
    running_.pop_back();
  }

  void begin_reply(std::string& out, const RequestId& id, std::string_view state) {
    out += R"({"type":"control_response","response":{"subtype":")";
    out += state;
    out += '"';
    if (id.raw == no_id) return;
    no_longer_running(id.raw);
    out += R"(,"request_id":)";
    out += id.raw;
  }

  Side side_;
  LostLine lost_;
  LostLines lost_lines_;
  DialectStats stats_;
  std::vector<std::string> running_;  // ids of the few open requests, as JSON texts
  std::string mended_;
  BytesView line_head_;  // of the current line
  std::string_view method_;
  StreamLine line_;
  // Buffer for texts with escapes.
  std::string type_;
  std::string subtype_;
  std::string session_;
  std::string parent_;
  std::string decoded_method_;
  LineBody body_;
  Error error_;
};

}  // namespace

Error unsupported_request(std::string_view subtype) {
  return {.code = Errc::unknown_method, .message = "Unsupported control request subtype: " + std::string(subtype)};
}

Errc code_of(std::string_view error_code, std::string_view text) {
  for (const CodeRow& row : codes)
    if (row.code == error_code) return row.ours;
  return text.starts_with("Unsupported control request subtype") ? Errc::unknown_method : Errc::failed;
}

std::string_view error_code_of(Errc code) {
  const auto* const row = std::ranges::find(codes, code, &CodeRow::ours);
  // Of the three codes, only this code has the same meaning for every request; the others concern modes.
  return row != std::end(codes) && code == Errc::unknown_method ? row->code : std::string_view{};
}

std::unique_ptr<ControlDialect> control_dialect(Side side, LostLine lost) {
  return std::make_unique<Control>(side, std::move(lost));
}

std::unique_ptr<Handler> line_handler(ControlDialect* const& dialect, std::function<Task<void>(const StreamLine&)> on_line) {
  class Lines final : public Handler {
   public:
    Lines(ControlDialect* const& from, std::function<Task<void>(const StreamLine&)> to) : from_(from), to_(std::move(to)) {}
    Result<Task<void>> begin(const Body*, RunningCall&, const std::function<std::unique_ptr<RunningCall>()>&) override {
      return to_(from_->line());
    }

   private:
    ControlDialect* const& from_;
    std::function<Task<void>(const StreamLine&)> to_;
  };
  return std::make_unique<Lines>(dialect, std::move(on_line));
}

}  // namespace parlance::claude
