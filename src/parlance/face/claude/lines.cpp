// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/claude/lines.h"

#include "parlance/adapter/claude/tools.h"
#include "parlance/base/bytes.h"
#include "parlance/base/secret.h"
#include "parlance/base/sha256.h"
#include "parlance/codec/json/typed.h"

namespace parlance::face {
namespace {

json::Value block(std::string type, std::string member, std::string text) {
  json::Object made;
  made.set("type", std::move(type));
  made.set(std::move(member), std::move(text));
  return made;
}

}  // namespace

json::Object ClaudeLines::line(std::string type) const {
  json::Object line;
  line.set("type", std::move(type));
  line.set("session_id", session_id_);
  line.set("uuid", make_uuid());
  return line;
}

json::Object ClaudeLines::line(std::string type, std::uint64_t event) const {
  json::Object made = line(std::move(type));
  made.set("uuid", message_uuid(conversation_, event));
  return made;
}

void ClaudeLines::send(json::Object line) const { send_(json::to_text(json::Value(std::move(line)))); }

void ClaudeLines::send_typed(std::string type, const wire::Type& of, const void* message) const {
  std::string text = R"({"type":)" + json::to_text(json::Value(std::move(type)));
  const std::size_t begin = text.size();
  json::write(text, of, message);
  text[begin] = ',';
  send_(std::move(text));
}

void ClaudeLines::begin_turn(std::string model) {
  model_ = std::move(model);
  message_id_.clear();
  last_text_.clear();
  answers_ = 0;
  rounds_ = 1;
}

void ClaudeLines::add(const claude::Usage& more) {
  usage.input_tokens += more.input_tokens;
  usage.output_tokens += more.output_tokens;
  usage.cache_creation += more.cache_creation;
  usage.cache_read += more.cache_read;
  of_message_ = more;
}

json::Object ClaudeLines::usage_of_message() const {
  json::Object used;
  used.set("input_tokens", of_message_.input_tokens);
  used.set("output_tokens", of_message_.output_tokens);
  return used;
}

json::Object ClaudeLines::message(json::Array content) const {
  json::Object made;
  made.set("id", message_id_);
  made.set("type", "message");
  made.set("role", "assistant");
  made.set("model", model_);
  made.set("content", std::move(content));
  made.set("stop_reason", nullptr);
  made.set("stop_sequence", nullptr);
  made.set("usage", usage_of_message());
  return made;
}

// ---- a message, its blocks, and their pieces

void ClaudeLines::begin_message() {
  if (!message_id_.empty()) return;
  message_id_ = make_id("msg_");
  has_call_ = false;
  ++answers_;
  index_ = 0;
  if (!partial_) return;
  json::Object status = line("system");
  status.set("subtype", "status");
  status.set("status", "requesting");
  send(std::move(status));
  json::Object event;
  event.set("type", "message_start");
  event.set("message", message({}));
  send_event(std::move(event));
}

void ClaudeLines::end_message(std::string_view stop_reason) {
  if (message_id_.empty()) return;
  end_block();
  if (partial_) {
    json::Object change;
    change.set("stop_reason", stop_reason);
    change.set("stop_sequence", nullptr);
    json::Object event;
    event.set("type", "message_delta");
    event.set("delta", std::move(change));
    event.set("usage", usage_of_message());
    send_event(std::move(event));
    json::Object end;
    end.set("type", "message_stop");
    send_event(std::move(end));
  }
  message_id_.clear();
  of_message_ = {};
}

void ClaudeLines::cut_message() {
  if (!block_kind_.empty()) {
    json::Value content = block(block_kind_, block_kind_, std::exchange(block_, {}));
    block_kind_.clear();
    send_assistant(std::move(content), {}, block_event_);
  }
  message_id_.clear();
  of_message_ = {};
}

void ClaudeLines::begin_block(json::Value content) {
  if (!partial_) return;
  json::Object event;
  event.set("type", "content_block_start");
  event.set("index", index_);
  event.set("content_block", std::move(content));
  send_event(std::move(event));
}

void ClaudeLines::delta(json::Value change) {
  if (!partial_) return;
  json::Object event;
  event.set("type", "content_block_delta");
  event.set("index", index_);
  event.set("delta", std::move(change));
  send_event(std::move(event));
}

void ClaudeLines::stop_block() {
  if (partial_) {
    json::Object event;
    event.set("type", "content_block_stop");
    event.set("index", index_);
    send_event(std::move(event));
  }
  ++index_;
}

void ClaudeLines::send_event(json::Object event) const {
  json::Object whole = line("stream_event");
  whole.set("event", std::move(event));
  whole.set("parent_tool_use_id", nullptr);
  send(std::move(whole));
}

void ClaudeLines::send_assistant(json::Value content, const std::optional<std::string>& parent, std::uint64_t event) {
  json::Object whole = line("assistant", event);
  whole.set("message", message({std::move(content)}));
  whole.set("parent_tool_use_id", parent ? json::Value(*parent) : json::Value());
  send(std::move(whole));
}

void ClaudeLines::tool_result(const std::string& id, const std::string& text, bool failed,
                              const std::optional<std::string>& parent) {
  json::Object result;
  result.set("type", "tool_result");
  result.set("tool_use_id", id);
  result.set("content", text);
  result.set("is_error", failed);
  user({json::Value(std::move(result))}, parent);
}

void ClaudeLines::plan(const std::vector<hub::PlanEntry>& entries) {
  const std::string id = make_id("toolu_");
  tool_use(id, "TodoWrite", adapter::claude_todos(entries), {});
  end_message("tool_use");
  tool_result(id, "Todos have been modified successfully.", false, {});
}

void ClaudeLines::tool_use(const std::string& id, const std::string& tool, const json::Value& input,
                           const std::optional<std::string>& parent) {
  end_block();
  begin_message();
  json::Object use;
  use.set("type", "tool_use");
  use.set("id", id);
  use.set("name", tool);
  use.set("input", json::Object{});
  begin_block(use);
  delta(block("input_json_delta", "partial_json", json::to_text(input)));
  use.set("input", input);
  send_assistant(json::Value(std::move(use)), parent, event_);
  stop_block();
  has_call_ = true;
}

void ClaudeLines::piece(const std::string& kind, const std::string& text) {
  if (has_call_) end_message("tool_use");
  if (block_kind_ != kind) end_block();
  if (block_kind_.empty()) {
    begin_message();
    block_kind_ = kind;
    json::Value empty = block(kind, kind, "");
    if (kind == "thinking") empty.object()->set("signature", "");
    begin_block(std::move(empty));
  }
  block_ += text;
  block_event_ = event_;
  if (partial_) delta(block(kind + "_delta", kind, text));
}

void ClaudeLines::end_block() {
  if (block_kind_.empty()) return;
  if (block_kind_ == "text") last_text_ = block_;
  json::Value content = block(block_kind_, block_kind_, std::exchange(block_, {}));
  if (block_kind_ == "thinking") {
    content.object()->set("signature", "");
    delta(block("signature_delta", "signature", ""));
  }
  block_kind_.clear();
  send_assistant(std::move(content), {}, block_event_);
  stop_block();
}

// ---- single lines

void ClaudeLines::instead_of_answer(const std::string& text, const std::string& error) {
  json::Object said;
  said.set("id", make_uuid());
  said.set("type", "message");
  said.set("role", "assistant");
  said.set("model", "<synthetic>");
  said.set("content", json::Array{block("text", "text", text)});
  said.set("stop_reason", "stop_sequence");
  said.set("stop_sequence", "");
  said.set("usage", usage_of_message());
  json::Object whole = line("assistant", event_);
  whole.set("message", std::move(said));
  whole.set("parent_tool_use_id", nullptr);
  whole.set("error", error);
  send(std::move(whole));
}

// Claude Code's own message for this event: the conversation continues after a boundary.
void ClaudeLines::cleared() const {
  json::Object message = line("system");
  message.set("subtype", "informational");
  message.set("content", "The conversation was cleared.");
  message.set("level", "info");
  send(std::move(message));
}

void ClaudeLines::inform(const std::string& text) {
  json::Object message = line("system");
  message.set("subtype", "informational");
  message.set("content", text);
  message.set("level", "warning");
  send(std::move(message));
}

void ClaudeLines::user(const std::string& text, bool synthetic) { user({block("text", "text", text)}, {}, synthetic); }

void ClaudeLines::user(json::Array content, const std::optional<std::string>& parent, bool synthetic) {
  ++rounds_;
  json::Object said;
  said.set("role", "user");
  said.set("content", std::move(content));
  json::Object whole = line("user", event_);
  whole.set("message", std::move(said));
  whole.set("parent_tool_use_id", parent ? json::Value(*parent) : json::Value());
  if (synthetic) whole.set("isSynthetic", true);
  send(std::move(whole));
}

namespace {

// A UUID from the first 32 hexadecimal digits; two digits become version and variant.
std::string uuid_of(std::string hex, char version) {
  hex[12] = version;
  hex[16] = "89ab"[static_cast<unsigned char>(hex[16]) % 4];
  return hex.substr(0, 8) + "-" + hex.substr(8, 4) + "-" + hex.substr(12, 4) + "-" + hex.substr(16, 4) + "-" + hex.substr(20, 12);
}

}  // namespace

std::string make_uuid() { return uuid_of(to_hex(random_bytes(16)), '4'); }

std::string message_uuid(const std::string& conversation, std::uint64_t event) {
  return uuid_of(sha256_hex(conversation + ":" + std::to_string(event)), '8');
}

}  // namespace parlance::face
