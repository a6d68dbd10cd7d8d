// SPDX-License-Identifier: Apache-2.0
// The call of a tool, resource or prompt, as its handler sees it: progress, log messages, and questions to the client's model,
// person or folders. Lives as long as the handler runs. Loop thread only.
//
// Questions work in both eras. Before 2026-07-28, the question goes to the client and its answer returns. Since then, a call
// with open questions ends with its questions, and is repeated with the answers. The first `elicit` without an answer fails, and
// the handler returns this error. The next call finds the answer under the same key. A handler with several questions should ask
// all before the error, for a single question to the client.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "parlance/async/task.h"
#include "parlance/protocol/mcp/request_state.h"
#include "parlance/protocol/mcp/session.h"

namespace parlance::mcp {

class Request {
 public:
  // `subject` identifies the call for requestState.
  Request(Session& session, const RequestId& id, Meta meta, std::string subject);
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;

  Era era() const { return session_.era(); }
  const std::string& version() const { return session_.version(); }
  const ClientCapabilities& client() const { return session_.client(); }
  const Implementation& client_info() const { return session_.client_info(); }
  Session& session() const { return session_; }
  const RequestId& id() const { return id_; }

  // Sent only to clients with a request for progress, and only for a larger value. Dropped while the client does not read.
  bool wants_progress() const { return !meta_.progress_token.json.empty(); }
  void progress(double done, std::optional<double> total = {}, std::optional<std::string> message = {});
  // `level` as in RFC 5424 (debug … emergency). Sent if the client wants this level.
  void log(std::string_view level, Raw data, std::optional<std::string> logger = {});
  void log(std::string_view level, std::string_view text);

  // Errors: missing_capability (exact code) if the client did not declare it; otherwise as above.
  Task<Result<ElicitResult>> elicit(std::string key, ElicitParams parameters);
  Task<Result<CreateMessageResult>> sample(std::string key, CreateMessageParams parameters);
  Task<Result<ListRootsResult>> roots(std::string key);

  // For the server's log: the object of the call, such as a file.
  void about(std::string_view what) {
    if (RequestLog* const log = session_.log()) log->about(id_, what);
  }

  // Data of the handler from one round of the call to the next (2026-07-28). Carried by the client, protected against changes.
  void keep(std::string what) { state_.kept = std::move(what); }
  const std::optional<std::string>& kept() const { return state_.kept; }

  // 2025-11-25 over HTTP: ends the stream of the answer; the client reconnects for the rest. Elsewhere no effect.
  void close_stream() { session_.close_stream(id_); }

  // For the server: the input of the call, and its result.
  Result<void> take_input(const Raw& responses, const std::optional<std::string>& state);
  bool needs_input() const { return !needed_.empty(); }
  InputRequests needed() { return std::move(needed_); }
  Result<std::string> sealed_state();
  void named(std::string_view name) {
    if (RequestLog* const log = session_.log()) log->name(id_, name);
  }
  void failed() {
    if (RequestLog* const log = session_.log()) log->failed(id_);
  }
  // Unknown arguments of the tool; the first few are kept.
  void note_unknown_argument(std::string_view argument);
  const std::vector<std::string>& unknown_arguments() const { return unknown_arguments_; }

 private:
  template <class P, class R>
  Task<Result<R>> ask(std::string key, const wire::Call<P, R>& call, P parameters, const Raw& declared,
                      std::string_view capability);

  Session& session_;
  RequestId id_;
  Meta meta_;
  RequestState state_;
  InputRequests needed_;
  std::vector<std::string> unknown_arguments_;
  double last_progress_ = -1;
};

}  // namespace parlance::mcp
