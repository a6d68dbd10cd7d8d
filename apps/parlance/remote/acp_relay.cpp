// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/remote/acp_relay.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "parlance/async/cancel.h"
#include "parlance/base/log.h"
#include "parlance/driver/acp/gateway_side.h"
#include "parlance/protocol/acp/messages.h"

namespace parlance::app {
namespace {

constexpr std::string_view cancel_by_id = "$/cancel_request";
constexpr auto longest_goodbye = std::chrono::seconds(2);  // for turns to stop
constexpr auto longest_answer = std::chrono::seconds(60);  // to calls of ours

namespace method = acp::method;

std::string id_of(const json::Value& message) {
  const json::Value* const id = message.find("id");
  return id == nullptr ? "" : json::to_text(*id);
}

json::Value parameters_of(json::Value& message) {
  if (message.object() != nullptr)
    for (auto& [name, value] : message.object()->members)
      if (name == "params") return std::move(value);
  return json::Object{};
}

bool takes_up(std::string_view what) { return what == method::load_session.method || what == method::resume_session.method; }

std::string cancel_text(const std::string& id_json) {
  return R"({"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":)" + id_json + "}}";
}

Error error_in(const json::Value& reply) {
  const json::Value* const error = reply.find("error");
  const std::string message(error == nullptr ? "the gateway gave no answer"
                                             : error->text_or("message", "an error without a word"));
  return {.code = Errc::failed, .message = message};
}

}  // namespace

Task<void> AcpRelay::run() {
  for (;;) {
    std::vector<std::string> texts;
    {
      const auto batch = co_await read_frames(*client_);
      if (!batch || batch->empty()) break;
      for (const BytesView frame : *batch) texts.emplace_back(frame);
    }
    for (std::string& text : texts) co_await take(std::move(text));
  }
  for (const auto& [id, one] : pending_) to_gateway(cancel_text(id));
  const auto all_answered = [](AcpRelay& self) -> Task<Result<void>> {
    while (self.connected() && !self.pending_.empty()) co_await self.changed_.wait();
    co_return Result<void>{};
  };
  static_cast<void>(co_await with_deadline(loop_, loop_.now() + longest_goodbye, all_answered(*this)));
  client_->finish();
  scope_.cancel();
}

// ---- from the client -----------------------------------------------------------------------------------------------------------

Task<void> AcpRelay::take(std::string text) {
  auto parsed = json::parse(text);
  if (!parsed || parsed->object() == nullptr) {
    log(LogLevel::warn, "a client sent what is no message", {});
    co_return;
  }
  const std::string what(parsed->text_or("method", ""));
  if (what.empty()) answer(*std::move(parsed));
  else if (parsed->find("id") == nullptr) to_gateway(text);  // without a connection, no turn remains to stop
  else co_await ask(*std::move(parsed), what);
}

void AcpRelay::change(json::Value& parameters, const std::string& what) {
  if (what == method::initialize.method) change_initialize(parameters);
  if (what == method::new_session.method || takes_up(what)) change_session(parameters, wish_, true);
  if (what == method::list_sessions.method) change_session(parameters, {.folder = wish_.folder}, false);
}

Task<void> AcpRelay::ask(json::Value message, std::string what) {
  const std::string id = id_of(message);
  json::Value parameters = parameters_of(message);
  change(parameters, what);
  const std::string session(parameters.text_or("sessionId", ""));
  const bool begins = what == method::initialize.method;
  if (begins) hello_ = parameters;
  Result<void> there;
  if (!connected()) there = begins ? co_await connect() : co_await reconnect();
  if (there && !begins && !takes_up(what) && what != method::delete_session.method) there = co_await go_on_in(session);
  if (!there) {
    to_client(error_text(id, there.error()));
    co_return;
  }
  pending_[id] = {.method = what, .session = session, .folder = std::string(parameters.text_or("cwd", ""))};
  to_gateway(request_text(id, what, std::move(parameters)));
  if (link_ && link_->congested()) co_await link_->drained().wait();
}

// An answer to a request of a closed connection: the request has no waiter.
void AcpRelay::answer(json::Value message) {
  const auto node = asked_.extract(id_of(message));
  if (node.empty()) return;
  message.object()->set("id", json::parse_or_null(node.mapped()));
  to_gateway(json::to_text(message));
}

// ---- the connection ------------------------------------------------------------------------------------------------------------

Task<Result<void>> AcpRelay::connect() {
  PARLANCE_CO_TRY(frames, co_await gateway_->connect());
  link_ = std::move(frames);
  ++connections_;
  scope_.start(read(link_));
  co_return Result<void>{};
}

Task<Result<void>> AcpRelay::reconnect() {
  if (!hello_) co_return fail(Errc::invalid_request, "initialize comes first");
  PARLANCE_CO_TRY_DO(co_await connect());
  const auto begun = co_await call(method::initialize.method, *hello_);
  if (begun) co_return Result<void>{};
  if (const auto half = std::exchange(link_, nullptr)) half->close();  // the connection was unused
  co_return fail(begun.error());
}

// A session of an earlier connection: the client receives the missed updates before other traffic of this session.
Task<Result<void>> AcpRelay::go_on_in(const std::string& id) {
  const auto found = sessions_.find(id);
  if (found == sessions_.end() || found->second.connection == connections_) co_return Result<void>{};
  json::Value parameters = json::Object{};
  parameters.object()->set("sessionId", id);
  parameters.object()->set("cwd", found->second.folder);
  parameters.object()->set("mcpServers", json::Array{});
  json::Value ours = json::Object{};
  ours.object()->set("after", found->second.position);
  object_in(parameters, "_meta").set("parlance", std::move(ours));
  change_session(parameters, wish_, false);
  PARLANCE_CO_TRY_DO(co_await call(method::load_session.method, std::move(parameters)));
  sessions_[id].connection = connections_;
  co_return Result<void>{};
}

Task<Result<json::Value>> AcpRelay::call(std::string_view what, json::Value parameters) {
  const std::string id = "\"parlance-" + std::to_string(++last_id_) + "\"";
  own_[id];
  to_gateway(request_text(id, what, std::move(parameters)));
  const auto reply = [](AcpRelay& self, std::string of) -> Task<Result<json::Value>> {
    while (self.connected() && !self.own_[of]) co_await self.changed_.wait();
    if (!self.own_[of]) co_return fail(Errc::disconnected, "the gateway has ended the connection");
    co_return *self.own_[of];
  };
  auto answered = co_await with_deadline(loop_, loop_.now() + longest_answer, reply(*this, id));
  own_.erase(id);
  PARLANCE_CO_TRY(message, std::move(answered));
  if (const json::Value* const result = message.find("result")) co_return *result;
  co_return fail(error_in(message));
}

Task<void> AcpRelay::read(std::shared_ptr<Frames> link) {
  for (;;) {
    const auto batch = co_await read_frames(*link);
    if (!batch || batch->empty()) {
      if (link_ == link) ended(batch ? Error{.code = Errc::disconnected, .message = "it was closed"} : Error(batch.error()));
      co_return;
    }
    for (const BytesView frame : *batch) heard(std::string(frame));
    while (client_->congested()) co_await client_->drained().wait();
  }
}

void AcpRelay::ended(const Error& why) {
  link_.reset();
  const Error told = driver::gateway_gone(why);
  for (const auto& [id, one] : std::exchange(pending_, {})) to_client(error_text(id, told));
  for (const auto& [id, theirs] : std::exchange(asked_, {})) to_client(cancel_text(id));
  changed_.notify_all();
}

// ---- from the gateway ----------------------------------------------------------------------------------------------------------

void AcpRelay::heard(std::string text) {
  auto message = json::parse(text);
  if (!message || message->object() == nullptr) return;
  const std::string what(message->text_or("method", ""));
  if (what.empty()) return replied(*std::move(message), std::move(text));
  if (message->find("id") != nullptr) return asked(*std::move(message));
  if (what == cancel_by_id) return withdrawn(*std::move(message));
  if (const json::Value* const parameters = message->find("params"); parameters != nullptr && what == method::update.method)
    told(*parameters);
  to_client(text);
}

// Each gateway counts from the beginning: the client gets ids of ours.
void AcpRelay::asked(json::Value message) {
  const std::string id = "\"gateway-" + std::to_string(++last_id_) + "\"";
  asked_[id] = id_of(message);
  message.object()->set("id", json::parse_or_null(id));
  to_client(json::to_text(message));
}

void AcpRelay::withdrawn(json::Value message) {
  const json::Value parameters = parameters_of(message);
  const json::Value* const which = parameters.find("requestId");
  const std::string id = which == nullptr ? "" : json::to_text(*which);
  for (const auto& [ours, theirs] : asked_)
    if (theirs == id) return to_client(cancel_text(ours));
}

void AcpRelay::replied(json::Value message, std::string text) {
  const std::string id = id_of(message);
  if (const auto own = own_.find(id); own != own_.end()) {
    own->second = std::move(message);
    return changed_.notify_all();
  }
  const auto node = pending_.extract(id);
  if (node.empty()) return;
  const Pending& of = node.mapped();
  if (const json::Value* const result = message.find("result")) {
    const std::string session =
        of.method == method::new_session.method ? std::string(result->text_or("sessionId", "")) : of.session;
    if (of.method == method::new_session.method || takes_up(of.method))
      sessions_[session] = {.folder = of.folder, .position = position_in(*result), .connection = connections_};
    if (of.method == method::close_session.method || of.method == method::delete_session.method) sessions_.erase(session);
  }
  to_client(text);
  changed_.notify_all();
}

void AcpRelay::told(const json::Value& parameters) {
  const auto found = sessions_.find(std::string(parameters.text_or("sessionId", "")));
  if (found != sessions_.end()) found->second.position = std::max(found->second.position, position_in(parameters));
}

}  // namespace parlance::app
