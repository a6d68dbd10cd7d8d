// SPDX-License-Identifier: Apache-2.0
// Connects an ACP client (an editor) and a gateway, message by message: the gateway owns sessions, history, options and requests.
// After a broken connection, the client's open requests fail, and its next request connects to any answering gateway. There the
// sessions continue with the missed updates. Loop thread only.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "apps/parlance/remote/acp_words.h"
#include "apps/parlance/remote/gateway.h"
#include "parlance/async/channel.h"
#include "parlance/async/scope.h"

namespace parlance::app {

class AcpRelay {
 public:
  AcpRelay(Loop& loop, std::shared_ptr<Gateway> gateway, RelayWish wish, std::unique_ptr<Frames> client)
      : loop_(loop),
        gateway_(std::move(gateway)),
        wish_(std::move(wish)),
        client_(std::move(client)),
        changed_(loop),
        scope_(loop) {}
  ~AcpRelay() { scope_.cancel(); }

  // Runs to the end of the client's input; then stops the open requests.
  Task<void> run();

 private:
  struct Session {
    std::string folder{};
    std::uint64_t position = 0;
    std::uint64_t connection = 0;  // id of its connection
  };
  struct Pending {  // of the client
    std::string method{};
    std::string session{};  // of its parameters
    std::string folder{};
  };

  // ---- from the client
  Task<void> take(std::string text);
  Task<void> ask(json::Value message, std::string method);
  void answer(json::Value message);
  void change(json::Value& parameters, const std::string& method);

  // ---- the connection
  bool connected() const { return link_ != nullptr; }
  Task<Result<void>> connect();
  Task<Result<void>> reconnect();
  Task<Result<void>> go_on_in(const std::string& id);
  Task<Result<json::Value>> call(std::string_view method, json::Value parameters);  // of ours
  Task<void> read(std::shared_ptr<Frames> link);
  void ended(const Error& why);

  // ---- from the gateway
  void heard(std::string text);
  void asked(json::Value message);
  void withdrawn(json::Value message);
  void replied(json::Value message, std::string text);
  void told(const json::Value& parameters);

  void to_client(const std::string& text) { static_cast<void>(client_->send(text)); }
  void to_gateway(const std::string& text) {
    if (link_) static_cast<void>(link_->send(text));
  }

  Loop& loop_;
  std::shared_ptr<Gateway> gateway_;
  RelayWish wish_;
  std::unique_ptr<Frames> client_;
  std::shared_ptr<Frames> link_;      // null: none
  std::uint64_t connections_ = 0;     // made so far
  std::optional<json::Value> hello_;  // parameters of its initialize, for each gateway
  std::map<std::string, Session> sessions_;
  std::map<std::string, Pending> pending_;                 // by id, as JSON
  std::map<std::string, std::string> asked_;               // requests to the client: our id -> the gateway's
  std::map<std::string, std::optional<json::Value>> own_;  // calls of ours -> their replies
  std::uint64_t last_id_ = 0;
  Signal changed_;
  Scope scope_;  // goes first
};

}  // namespace parlance::app
