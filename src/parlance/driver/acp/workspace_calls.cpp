// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/acp/workspace_calls.h"

#include <csignal>
#include <cstring>

namespace parlance::driver {
namespace {

// Its client library rejects with the bare error object, whose text its file service then looks for in vain.
bool ends_its_call_at_a_missing_file(const acp::InitializeResult& agent) {
  return agent.agent && agent.agent->name == "gemini-cli";
}

}  // namespace

acp::TerminalExit exit_of(const hub::TerminalExit& exit) {
  acp::TerminalExit result;
  if (exit.code) result.exit_code = static_cast<std::uint32_t>(*exit.code);
  if (exit.signal) {
    const char* name = ::sigabbrev_np(*exit.signal);
    result.signal = name != nullptr ? "SIG" + std::string(name) : std::to_string(*exit.signal);
  }
  return result;
}

Task<Result<acp::FileText>> WorkspaceCalls::read_text_file(acp::ReadTextFile what) {
  if (!files_) co_return fail(acp::unknown_method(acp::method::read_text_file.method));
  const bool empty_if_missing = ends_its_call_at_a_missing_file(asker());
  auto text = co_await workspace_.read_text_file(std::move(what.path), what.line, what.limit);
  if (!text && text.error().code == Errc::not_found && empty_if_missing) co_return acp::FileText{};
  if (!text) co_return std::unexpected(std::move(text).error());
  co_return acp::FileText{.content = *std::move(text)};
}

Task<Result<acp::FileWritten>> WorkspaceCalls::write_text_file(acp::WriteTextFile what) {
  if (!files_) co_return fail(acp::unknown_method(acp::method::write_text_file.method));
  PARLANCE_CO_TRY_DO(co_await workspace_.write_text_file(std::move(what.path), std::move(what.content)));
  co_return acp::FileWritten{};
}

Task<Result<acp::TerminalCreated>> WorkspaceCalls::create_terminal(acp::CreateTerminal what) {
  if (!terminals_) co_return fail(acp::unknown_method(acp::method::create_terminal.method));
  hub::TerminalRequest request{.command = std::move(what.command), .args = std::move(what.args), .folder = std::move(what.cwd)};
  for (acp::NameValue& name_value : what.env)
    request.environment.emplace_back(std::move(name_value.name), std::move(name_value.value));
  if (what.output_byte_limit) request.output_bytes = static_cast<std::size_t>(*what.output_byte_limit);
  PARLANCE_CO_TRY(id, co_await workspace_.create_terminal(std::move(request)));
  co_return acp::TerminalCreated{.terminal_id = std::move(id)};
}

Result<acp::TerminalOutput> WorkspaceCalls::terminal_output(const acp::OfTerminal& which) {
  PARLANCE_TRY(output, workspace_.terminal_output(which.terminal_id));
  acp::TerminalOutput result{.output = std::move(output.text), .truncated = output.truncated};
  if (output.exit) result.exit_status = exit_of(*output.exit);
  return result;
}

Task<Result<acp::TerminalExit>> WorkspaceCalls::wait_for_exit(acp::OfTerminal which) {
  PARLANCE_CO_TRY(exit, co_await workspace_.wait_for_terminal(std::move(which.terminal_id)));
  co_return exit_of(exit);
}

Result<acp::EmptyReply> WorkspaceCalls::kill_terminal(const acp::OfTerminal& which) {
  PARLANCE_TRY_DO(workspace_.kill_terminal(which.terminal_id));
  return acp::EmptyReply{};
}

Result<acp::EmptyReply> WorkspaceCalls::release_terminal(const acp::OfTerminal& which) {
  PARLANCE_TRY_DO(workspace_.release_terminal(which.terminal_id));
  return acp::EmptyReply{};
}

}  // namespace parlance::driver
