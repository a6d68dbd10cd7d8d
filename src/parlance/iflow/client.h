// SPDX-License-Identifier: Apache-2.0
// An iFlow client with the interface of its SDK. The client finds and starts the program or reaches a running program, holds a
// session, sends messages, and receives messages one by one. Loop thread only. Must not be destroyed inside one of its own calls.
//
//   Client client(loop, {.cwd = "/work"});
//   if (auto connected = co_await client.connect(); !connected) …
//   co_await client.send_message("hello");
//   while (auto message = co_await client.receive_message()) …     // until a TaskFinishMessage
//
// Simultaneous frames are never lost, nothing is polled, and received messages never change.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "parlance/async/scope.h"
#include "parlance/async/worker.h"
#include "parlance/driver/iflow/process_manager.h"
#include "parlance/iflow/file_access.h"
#include "parlance/iflow/message_mapper.h"
#include "parlance/iflow/message_queue.h"
#include "parlance/iflow/options.h"
#include "parlance/iflow/pending_requests.h"
#include "parlance/protocol/acp/client.h"

namespace parlance::iflow {

// A request for permission: its number, or the id of its tool call.
using PermissionName = std::variant<RequestNumber, std::string_view>;

class Client : private acp::ClientHandler {
 public:
  explicit Client(Loop& loop, Options options = {});
  virtual ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // Opens the socket (and before, starts the program if permitted and no listener answers), initialize, sign-in, a new session.
  // Errors: of errors.h. A failed call leaves no connection and no program behind.
  Task<Result<void>> connect();
  // Closes the connection and stops a program started here. A waiting receiver gets the end.
  Task<void> disconnect();
  bool is_connected() const { return connected_; }

  // Begins a turn; its end is a TaskFinishMessage or an ErrorMessage. Files: pictures and sounds are attached, others are links;
  // missing files are skipped and logged.
  Task<Result<void>> send_message(std::string text, std::vector<std::string> files = {});
  // Resumes a session. After a failure, the current session stays.
  Task<Result<void>> load_session(std::string session_id);
  // The next message; nothing after the end of the connection and the last message.
  Task<std::optional<Message>> receive_message() { return queue_.pop(); }
  // Cancels the running turn. Open requests to the person are answered as if no person were present.
  Result<void> interrupt();

  // The person's answers. The result is the chosen option.
  Result<adapter::PermissionChoice> approve_tool_call(PermissionName request,
                                                      ToolCallConfirmationOutcome outcome = ToolCallConfirmationOutcome::allow);
  Result<adapter::PermissionChoice> reject_tool_call(PermissionName request) {
    return approve_tool_call(request, ToolCallConfirmationOutcome::reject);
  }
  Result<void> answer_questions(RequestNumber request, const QuestionAnswers& answers) {
    return pending_.answer(request, answers);
  }
  Result<void> approve_plan(RequestNumber request, bool approved, std::string reason = {}) {
    return pending_.decide(request, approved, std::move(reason));
  }

  // ---- lower layers, for missing features
  const std::string& session_id() const { return session_id_; }
  const std::string& url() const { return url_; }  // address of the connection; empty with a custom transport
  Frames* transport() { return frames_; }          // null without a connection
  acp::Client* protocol() { return acp_.get(); }   // the same
  MessageQueue& queue() { return queue_; }
  Result<void> send_raw(std::string_view frame);      // a frame, unchanged
  FileAccess* files() { return file_access_.get(); }  // null without file access
  driver::ProcessManager* process() { return processes_.get(); }
  const Options& options() const { return options_; }
  Loop& loop() const { return loop_; }

 protected:
  // Sees the frames of a new connection; for RawClient.
  virtual std::unique_ptr<Frames> wrapped(std::unique_ptr<Frames> frames) { return frames; }
  virtual void on_end() {}

 private:
  Task<Result<void>> open();
  Task<Result<std::unique_ptr<Frames>>> reach();
  Task<Result<std::string>> start_program();
  Task<Result<std::string>> begin_session();
  Task<void> listen();
  Task<void> run_turn(acp::Prompt prompt);
  void push_failure(Error error);
  void drop();
  Worker& file_worker();

  void on_update(acp::SessionUpdate update) override;
  bool congested() const override { return queue_.congested(); }
  Task<void> wait_writable() override { return queue_.wait_writable(); }
  Task<Result<acp::PermissionReply>> request_permission(acp::RequestPermission asked) override;
  Task<Result<acp::FileText>> read_text_file(acp::ReadTextFile what) override;
  Task<Result<acp::FileWritten>> write_text_file(acp::WriteTextFile what) override;
  Task<Result<acp::iflow::Answers>> questions(acp::iflow::Questions asked) override;
  Task<Result<acp::iflow::PlanDecision>> plan_exit(acp::iflow::PlanExit asked) override;

  Loop& loop_;
  Options options_;
  std::string folder_;
  std::string url_;
  std::string session_id_;
  bool connected_ = false;
  bool end_reported_ = false;
  MessageMapper mapper_;
  MessageQueue queue_;
  PendingRequests pending_;
  std::unique_ptr<driver::ProcessManager> processes_;
  std::shared_ptr<FileAccess> file_access_;
  std::unique_ptr<Worker> file_worker_;
  Frames* frames_ = nullptr;  // of acp_
  std::unique_ptr<acp::Client> acp_;
  Scope scope_;
};

}  // namespace parlance::iflow
