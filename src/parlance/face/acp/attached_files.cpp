// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/acp/attached_files.h"

#include <algorithm>
#include <utility>

#include "parlance/face/acp/limits.h"
#include "parlance/protocol/acp/errors.h"
#include "parlance/protocol/acp/messages.h"

namespace parlance::face {
namespace {

Result<std::string> content_of(Result<acp::FileText> reply) {
  if (reply) return std::move(reply->content);
  if (acp::says_not_found(reply.error())) return fail(Errc::not_found, acp::error_text(reply.error()));
  return fail(reply.error().code == Errc::not_found ? Errc::failed : reply.error().code, acp::error_text(reply.error()));
}

}  // namespace

AttachedFiles::AttachedFiles(AcpClient& client, AcpSessionPtr session) : client_(client), session_(std::move(session)) {
  session_->files.push_back(this);
}

AttachedFiles::~AttachedFiles() { std::erase(session_->files, static_cast<AcpClientFiles*>(this)); }

// iFlow's SDK always declares files, with or without support (and warns its user once). A waiting call may outlive this object.
Error AttachedFiles::without_files(Error error, const AcpSession& session) {
  if (error.code != Errc::unknown_method && !error.message.contains("File system access not configured")) return error;
  error.code = Errc::unknown_method;
  const bool is_here = std::ranges::find(session.files, static_cast<AcpClientFiles*>(this)) != session.files.end();
  if (is_here) client_.files.reads = client_.files.writes = false;
  return error;
}

Task<Result<std::string>> AttachedFiles::read(std::string path) {
  const AcpSessionPtr session = session_;
  auto content = content_of(co_await client_.peer.call(
      acp::method::read_text_file, {.session_id = session->id, .path = std::move(path)}, within(limits::acp_file_patience)));
  if (!content) co_return fail(without_files(std::move(content).error(), *session));
  co_return content;
}

Task<Result<void>> AttachedFiles::write(std::string path, std::string text) {
  const AcpSessionPtr session = session_;
  const auto written = co_await client_.peer.call(
      acp::method::write_text_file, {.session_id = session->id, .path = std::move(path), .content = std::move(text)},
      within(limits::acp_file_patience));
  if (!written)
    co_return fail(without_files({.code = written.error().code, .message = acp::error_text(written.error())}, *session));
  co_return Result<void>{};
}

}  // namespace parlance::face
