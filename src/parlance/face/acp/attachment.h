// SPDX-License-Identifier: Apache-2.0
// One client in one session: it hears what happens there, its prompts become turns, and it is asked what waits for a person. Several
// clients may be in a session at once, in one connection or many: each hears all, the first answer counts, and what the others were asked
// is withdrawn. Loop thread only; client, hub and session outlive it, and tasks of it end before it.
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
#include "parlance/hub/follower.h"
#include "parlance/protocol/acp/messages.h"

namespace parlance::face {

class AcpAttachment {
 public:
  AcpAttachment(Loop& loop, AcpClient& client, AcpSessionPtr session);
  ~AcpAttachment();
  AcpAttachment(const AcpAttachment&) = delete;
  AcpAttachment& operator=(const AcpAttachment&) = delete;

  // Everything up to now, told (`history`) or only taken note of; what follows is told once the task that awaits this has answered its
  // client. Once.
  // `after`: of the history only what came behind this event, and what was open there.
  Task<Result<void>> begin(bool history, std::optional<std::uint64_t> after = {});
  // What can be chosen, as the answer to session/new, /load and /resume has it.
  acp::SessionState state() const;
  std::vector<acp::ConfigOption> options() const;
  hub::AgentInfo agent() const;
  const hub::Conversation* conversation() const { return hub().find(session_->conversation); }

  // To the end of the turn; those before it end first. Errors: those of the hub and of the agent. Never one once it was cancelled.
  // Destroying the task stops the turn if the client cancelled the request, and leaves it to the others if the client is gone.
  Task<Result<acp::PromptResult>> prompt(AcpPrompt said);
  // Ends the waiting prompts of this client, and the session's turn: any turn, or only one that the client's user began.
  enum class Whose : std::uint8_t { any, own };
  void cancel(Whose turn = Whose::any);

  // For this client's prompts from now on.
  void set_prompt_options(hub::PromptOptions options) { prompt_options_ = std::move(options); }
  // Told once it is begun: what of the client's wishes is not kept. To the log as well.
  void remark(std::string what);

  AcpSession& session() { return *session_; }
  AcpSessionPtr shared_session() const { return session_; }

 private:
  struct Turn {  // of a prompt of this client
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
  Task<void> take_past(const hub::Event& event, std::uint64_t after);
  void tell_open_calls();
  Task<void> take(const hub::Event& event, std::uint64_t told_up_to);
  Task<AcpUpdates::Pictures> pictures_of(const hub::Event& event);
  Task<void> said(const hub::Event& event);
  void ended(const hub::event::TurnEnd& end);
  void told_row(const hub::Conversation& row);
  void send(acp::Update update, std::uint64_t position = 0);
  void ask(const hub::Ask& ask);
  void withdraw(const std::string& ask);
  Task<void> settle(hub::Ask ask);
  Task<Result<std::string>> begin_turn(const AcpPrompt& said, std::uint64_t cancels);
  Result<acp::PromptResult> failed(Error why);
  Result<acp::PromptResult> result_of(const Turn& turn, bool cancelled);

  Loop& loop_;
  AcpClient& client_;
  AcpSessionPtr session_;
  AttachedFiles files_;
  hub::PromptOptions prompt_options_;
  AcpUpdates updates_;
  std::optional<hub::Follower> follower_;
  std::uint64_t begun_at_ = 0;  // all up to it was told, or is passed over, when it began
  bool muted_ = false;          // events are taken note of, not told
  bool live_ = false;           // … and asks are asked
  bool commands_told_ = false;
  std::vector<std::string> remarks_;
  // What the client has heard of the row.
  hub::Mode mode_told_ = hub::Mode::default_;
  std::string options_told_;
  std::string title_told_;
  // Its prompts.
  std::list<Turn> turns_;      // that run or have ended just now
  std::size_t beginning_ = 0;  // prompts that are on their way to the hub: whose turn comes next is not known yet
  std::uint64_t cancels_ = 0;  // how often it has cancelled
  std::optional<hub::event::Failure> failure_;  // the last of the turn that runs
  std::map<std::string, Scope::Handle> asks_;   // that the client is asked
  Signal changed_;
  Signal live_signal_;
  Scope scope_;  // goes first
};

}  // namespace parlance::face
