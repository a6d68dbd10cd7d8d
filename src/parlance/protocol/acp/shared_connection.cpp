// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/acp/shared_connection.h"

#include <map>
#include <optional>
#include <set>
#include <utility>

#include "parlance/base/log.h"
#include "parlance/codec/json/value.h"
#include "parlance/protocol/acp/errors.h"
#include "parlance/protocol/acp/limits.h"
#include "parlance/protocol/acp/messages.h"
#include "parlance/protocol/acp/outline.h"
#include "parlance/transport/message_frames.h"

namespace parlance::acp {
namespace {

constexpr std::string_view cancel_by_id = "$/cancel_request";
constexpr std::string_view no_client = R"({"code":-32002,"message":"the session has no client any more"})";

// Writes the id like our own dialect, so that a long prompt is not parsed for its id.
std::string with_id(std::string frame, const std::string& old_id, const std::string& new_id) {
  const std::string head = R"({"jsonrpc":"2.0","id":)" + old_id;
  if (frame.starts_with(head + ",")) return frame.replace(0, head.size(), R"({"jsonrpc":"2.0","id":)" + new_id);
  json::Value value = json::parse_or_null(frame);
  if (value.object() == nullptr) return frame;
  value.object()->set("id", json::parse_or_null(new_id));
  return json::to_text(value);
}

std::string reply_text(const std::string& id, std::string_view what, const std::string& content) {
  return R"({"jsonrpc":"2.0","id":)" + id + ",\"" + std::string(what) + "\":" + content + "}";
}

std::string id_of(const json::Value& message) {
  const json::Value* const parameters = message.find("params");
  const json::Value* const id = parameters == nullptr ? nullptr : parameters->find("requestId");
  return id == nullptr ? "" : json::to_text(*id);
}

}  // namespace

struct SharedConnection::State : std::enable_shared_from_this<State> {
  State(Loop& l, std::unique_ptr<Frames> f) : loop(l), frames(std::move(f)) {}

  class Client final : public MessageFrames {
   public:
    Client(std::shared_ptr<State> state, std::uint64_t number)
        : MessageFrames(state->loop, state->frames->name(),
                        [s = state.get(), number](std::string frame) { s->send(number, std::move(frame)); }),
          state_(std::move(state)),
          number_(number) {}
    ~Client() override { state_->forget(number_); }
    void close() override {
      state_->forget(number_);
      MessageFrames::close();
    }
    void finish() override {
      state_->forget(number_);
      end();
    }
    std::uint64_t number() const { return number_; }

   private:
    std::shared_ptr<State> state_;
    std::uint64_t number_;
  };
  struct Call {
    std::uint64_t client = 0;  // 0: no waiter
    std::string id{};          // in the client's numbering
    bool begins = false;       // a session
    bool initializes = false;
  };

  std::unique_ptr<Frames> add() {
    const std::uint64_t number = ++last_client;
    auto made = std::make_unique<Client>(shared_from_this(), number);
    clients[number] = made.get();
    return made;
  }

  // ---- out
  void write(const std::string& frame) {
    if (ended) return;
    if (const auto sent = frames->send(frame); !sent)
      log(LogLevel::warn, "a message does not fit the connection",
          {{"connection", frames->name()}, {"why", sent.error().message}});
  }

  void deliver(std::uint64_t client, std::string frame) {
    if (const auto found = clients.find(client); found != clients.end()) found->second->receive(std::move(frame));
  }

  void send(std::uint64_t client, std::string frame) {
    if (ended) return;
    const Outline message = outline(frame).value_or(Outline{});
    if (message.method.empty()) {
      asked.erase(message.id_json);
      return write(frame);
    }
    if (message.method == method::initialize.method && !initialized.empty())
      return deliver(client, reply_text(message.id_json, "result", initialized));
    if (message.method == cancel_by_id) return cancel(client, frame);
    if (message.method == method::load_session.method || message.method == method::resume_session.method)
      sessions[message.session] = client;
    if (message.method == method::close_session.method) sessions.erase(message.session);
    if (message.id_json.empty()) return write(frame);
    const std::string number = std::to_string(++last_call);
    calls[number] = {.client = client,
                     .id = message.id_json,
                     .begins = message.method == method::new_session.method,
                     .initializes = message.method == method::initialize.method};
    write(with_id(std::move(frame), message.id_json, number));
  }

  void cancel(std::uint64_t client, const std::string& frame) {
    json::Value message = json::parse_or_null(frame);
    const std::string id = id_of(message);
    for (const auto& [number, call] : calls) {
      if (call.client != client || call.id != id) continue;
      for (auto& [name, value] : message.object()->members)
        if (name == "params" && value.object() != nullptr) value.object()->set("requestId", json::parse_or_null(number));
      return write(json::to_text(message));
    }
  }

  // Ends the unfinished requests and sessions without clients.
  void forget(std::uint64_t client) {
    if (clients.erase(client) == 0) return;
    for (auto& [number, call] : calls)
      if (call.client == client) call.client = 0;
    for (auto entry = asked.begin(); entry != asked.end();) {
      if (entry->second == client) write(reply_text(entry->first, "error", std::string(no_client)));
      entry = entry->second == client ? asked.erase(entry) : std::next(entry);
    }
    for (auto entry = sessions.begin(); entry != sessions.end();) {
      if (entry->second != client) {
        ++entry;
        continue;
      }
      close_session(entry->first);
      entry = sessions.erase(entry);
    }
  }

  void close_session(const std::string& session) {
    const std::string number = std::to_string(++last_call);
    json::Object parameters;
    parameters.set("sessionId", session);
    calls[number] = {};
    write(R"({"jsonrpc":"2.0","id":)" + number + R"(,"method":")" + std::string(method::close_session.method) + R"(","params":)" +
          json::to_text(json::Value(std::move(parameters))) + "}");
  }

  // ---- in. Errors: an invalid frame. Its sender is out of step with the protocol
  Result<Client*> receive(std::string frame) {
    const auto message = outline(frame);
    if (!message) return fail(Errc::invalid_request, "the message is not a message of ACP");
    if (message->method.empty()) return receive_reply(*message, std::move(frame));
    const bool cancels = message->method == cancel_by_id;
    const auto owner = message->session.empty() ? sessions.end() : sessions.find(message->session);
    std::uint64_t client = owner == sessions.end() ? 0 : owner->second;
    if (cancels) {
      const auto request = asked.find(id_of(json::parse_or_null(frame)));
      client = request == asked.end() ? 0 : request->second;
    } else if (message->session.empty()) {
      client = 1;
    }
    const auto found = clients.find(client);
    if (found == clients.end()) {
      if (!message->id_json.empty()) write(reply_text(message->id_json, "error", std::string(no_client)));
      return nullptr;
    }
    if (!message->id_json.empty()) {
      if (asked.size() >= limits::shared_asked) return fail(Errc::overloaded, "the agent has too many open requests");
      asked[message->id_json] = client;
    }
    found->second->receive(std::move(frame));
    return found->second;
  }

  Result<Client*> receive_reply(const Outline& message, std::string frame) {
    const auto node = calls.extract(message.id_json);
    if (node.empty()) return nullptr;  // late, or without a client
    const Call& call = node.mapped();
    const auto found = clients.find(call.client);
    if (call.begins && !message.session.empty()) {
      if (found == clients.end()) close_session(message.session);
      else sessions[message.session] = call.client;
    }
    if (call.initializes && !message.is_error) {
      const json::Value whole = json::parse_or_null(frame);
      const json::Value* const result = whole.find("result");
      initialized = result == nullptr ? "{}" : json::to_text(*result);
    }
    if (found == clients.end()) return nullptr;
    found->second->receive(with_id(std::move(frame), message.id_json, call.id));
    return found->second;
  }

  Task<Error> run() {
    const auto self = shared_from_this();
    for (;;) {
      const FramesRead batch = co_await read_frames(*frames);
      if (ended) co_return *ended;
      if (!batch) co_return end(batch.error());
      if (batch->dropped != nullptr) co_return end(*batch->dropped);
      if (batch->empty()) co_return end({.code = Errc::disconnected, .message = "the connection has ended"});
      std::set<std::uint64_t> receivers;
      std::vector<std::string> all(batch->begin(), batch->end());
      for (std::string& frame : all) {
        const auto to = receive(std::move(frame));
        if (!to) co_return end(to.error());
        if (*to != nullptr) receivers.insert((*to)->number());
      }
      // A slow client slows the agent, and so the other clients: no backlog grows here.
      for (const std::uint64_t client : receivers)
        if (const auto found = clients.find(client); found != clients.end()) co_await found->second->wait_writable();
    }
  }

  void leave(const Error& why) {
    const auto all = clients;
    for (const auto& [number, client] : all) {
      if (number == 1) continue;
      forget(number);
      client->fail(why);
    }
  }

  Error end(Error why) {
    if (ended) return *ended;
    why.code = Errc::disconnected;
    ended = why;
    frames->close();
    calls.clear();
    sessions.clear();
    const auto all = clients;
    for (const auto& [number, client] : all) client->fail(why);
    return why;
  }

  Loop& loop;
  std::unique_ptr<Frames> frames;
  std::optional<Error> ended;
  std::uint64_t last_client = 0;  // the first is 1
  std::uint64_t last_call = 0;
  std::string initialized;  // the agent's answer
  std::map<std::uint64_t, Client*> clients;
  std::map<std::string, std::uint64_t, std::less<>> sessions;  // the client of each
  std::map<std::string, Call, std::less<>> calls;              // by the number on the wire
  std::map<std::string, std::uint64_t, std::less<>> asked;     // open requests of the agent, and their clients
};

SharedConnection::SharedConnection(Loop& loop, std::unique_ptr<Frames> frames)
    : state_(std::make_shared<State>(loop, std::move(frames))) {}

// The connection may end before its server: a surviving client keeps no reference.
SharedConnection::~SharedConnection() {
  close("the connection is closed");
  state_->frames.reset();
}

std::unique_ptr<Frames> SharedConnection::first() { return state_->add(); }

Result<std::unique_ptr<Frames>> SharedConnection::another() {
  if (state_->ended) return fail(*state_->ended);
  if (state_->clients.size() > limits::shared_clients)
    return fail(Errc::overloaded,
                std::to_string(limits::shared_clients) + " conversations are open over this connection already");
  return state_->add();
}

Task<Error> SharedConnection::run() { return state_->run(); }

void SharedConnection::leave(const std::string& why) { state_->leave({.code = Errc::disconnected, .message = why}); }

void SharedConnection::close(const std::string& why) {
  static_cast<void>(state_->end({.code = Errc::disconnected, .message = why}));
}

}  // namespace parlance::acp
