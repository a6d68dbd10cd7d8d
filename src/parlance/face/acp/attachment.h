// SPDX-License-Identifier: Apache-2.0
// A client in a session: receives the session's updates, sends prompts, and answers requests. Several clients may share a
// session, over any number of connections: each receives all updates, the first answer counts, and the other clients' requests
// are withdrawn. Loop thread only; client, hub and session must outlive the object, and its tasks end before it.
#pragma once

#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "parlance/async/channel.h"
#include "parlance/async/scope.h"
#include "parlance/face/acp/attached_files.h"
#include "parlance/face/acp/client.h"
#include "parlance/face/acp/prompt_content.h"
#include "parlance/face/acp/sessions.h"
#include "parlance/face/acp/updates.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/turn_event.h"
#include "parlance/hub/follower.h"
#include "parlance/protocol/acp/messages.h"

namespace parlance::face {

class AcpAttachment {
 public:
  AcpAttachment(Loop& loop, AcpClient& client, AcpSessionPtr session);
  ~AcpAttachment();
  AcpAttachment(const AcpAttachment&) = delete;
  AcpAttachment& operator=(const AcpAttachment&) = delete;

  // Reports the history up to now (`history`) or skips it; live updates begin after the awaiting task has answered its client.
  // Call once.
  Task<Result<void>> begin(bool history);
  // The session's options for the answer to session/new, /load and /resume.
  acp::SessionState state() const;
  std::vector<acp::ConfigOption> options() const;
  hub::AgentInfo agent() const;
  const hub::Conversation* conversation() const { return hub().find(session_->conversation); }

  // Runs a prompt to the end of its turn, after earlier prompts. Errors: those of the hub and of the agent; none after a cancel.
  // Destroying the task stops the turn if the client cancelled the request. If the client disconnected, the turn continues for
  // other clients.
  Task<Result<acp::PromptResult>> prompt(AcpPrompt said);
  // Ends the waiting prompts of this client, and the session's turn: any turn, or only a turn of the client's user.
  enum class Whose : std::uint8_t { any, own };
  void cancel(Whose turn = Whose::any);

  // For later prompts of this client.
  void set_prompt_options(hub::PromptOptions options) { prompt_options_ = std::move(options); }
  // Reports an unsupported parameter of the client after `begin`, and logs it.
  void remark(std::string what);

  AcpSession& session() { return *session_; }
  AcpSessionPtr shared_session() const { return session_; }

 private:
  struct Turn {  // the turn of a prompt of this client
    std::string id{};
    std::optional<hub::StopReason> ended{};
    std::optional<hub::event::Failure> failure{};
    std::optional<acp::TurnUsage> usage{};
  };
  struct StopIfCancelled;

  hub::UserHub& hub() const { return session_->hub; }
  Task<std::uint64_t> last_cleared(std::uint64_t last);
  Task<void> follow();
  Task<void> go_live();
  Task<void> take(const hub::Event& event);
  Task<AcpUpdates::Pictures> pictures_of(const hub::Event& event);
  Task<void> said(const hub::Event& event);
  void ended(const hub::event::TurnEnd& end);
  void send_row(const hub::Conversation& row);
  void send(acp::Update update);
  void ask(const hub::Ask& ask);
  void withdraw(const std::string& ask);
  Task<void> settle(hub::Ask ask);
  Task<Result<std::string>> begin_turn(const AcpPrompt& said, std::uint64_t cancels);
  Result<acp::PromptResult> failed(Error error);
  Result<acp::PromptResult> result_of(const Turn& turn, bool cancelled);

  Loop& loop_;
  AcpClient& client_;
  AcpSessionPtr session_;
  AttachedFiles files_;
  hub::PromptOptions prompt_options_;
  AcpUpdates updates_;
  std::optional<hub::Follower> follower_;
  bool muted_ = false;  // events update the state without messages
  bool live_ = false;   // … and requests are sent
  bool commands_sent_ = false;
  std::vector<std::string> remarks_;
  // The last reported row.
  hub::Mode sent_mode_ = hub::Mode::default_;
  std::string sent_options_;
  std::string sent_title_;
  // Prompts of this client.
  std::list<Turn> turns_;                       // running or just ended
  std::size_t beginning_ = 0;                   // prompts on the way to the hub: their order is open
  std::uint64_t cancels_ = 0;                   // number of cancels
  std::optional<hub::event::Failure> failure_;  // the last failure of the running turn
  std::map<std::string, Scope::Handle> asks_;   // open requests to the client
  Signal changed_;
  Signal live_signal_;
  Scope scope_;  // destroyed first
};

}  // namespace parlance::face
