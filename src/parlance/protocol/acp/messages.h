// SPDX-License-Identifier: Apache-2.0
// The methods of the Agent Client Protocol, version 1, and of iFlow's dialect of it. A table for each server: the requests and notices
// to an agent, and those to its client. Values; any thread.
#pragma once

#include "parlance/protocol/acp/elicitation.h"
#include "parlance/protocol/acp/files.h"
#include "parlance/protocol/acp/iflow.h"
#include "parlance/protocol/acp/initialize.h"
#include "parlance/protocol/acp/permission.h"
#include "parlance/protocol/acp/prompt.h"
#include "parlance/protocol/acp/runner.h"
#include "parlance/protocol/acp/session.h"
#include "parlance/protocol/acp/terminals.h"
#include "parlance/protocol/acp/update.h"

namespace parlance::acp::method {

inline constexpr auto of_agent = wire::methods(
    wire::call<InitializeParams, InitializeResult>("initialize",
                                                   "Opens the connection. No other request is allowed before its answer."),
    wire::call<Authenticate, Authenticated>("authenticate", "Logs in with one of the offered methods.").or_no_body(),
    wire::call<Logout, EmptyReply>("logout", "Logs out of the account.").or_no_body(),
    wire::call<NewSession, SessionState>("session/new", "Creates a session in a folder."),
    wire::call<LoadSession, SessionState>("session/load",
                                          "Loads an earlier session. Updates with its messages arrive before the answer.")
        .or_no_body(),
    wire::call<LoadSession, SessionState>("session/resume", "Resumes an earlier session without sending its messages.")
        .or_no_body(),
    wire::call<ListSessions, SessionList>("session/list", "Lists sessions that can be loaded."),
    wire::call<OfSession, EmptyReply>("session/close",
                                      "Closes a session and frees its resources. The session can be loaded again.")
        .or_no_body(),
    wire::call<OfSession, EmptyReply>("session/delete", "Deletes a session permanently.").or_no_body(),
    wire::call<Prompt, PromptResult>("session/prompt", "Runs a turn. A session runs one turn at a time.").or_no_body(),
    wire::notice<OfSession>("session/cancel", "Cancels the running turn. Its prompt then returns `cancelled`."),
    wire::call<OfSession, Raw>("session/cancel (request)",
                               "The same as session/cancel with a request id, as iFlow's SDK sends it. Returns null."),
    wire::call<SetMode, ModeSet>("session/set_mode", "Changes the mode of a session.").or_no_body(),
    wire::call<SetModel, ModelSet>("session/set_model", "Changes the model of a session, for agents without a model option.")
        .or_no_body(),
    wire::call<SetConfigOption, ConfigOptions>("session/set_config_option",
                                               "Changes an option of a session. Returns all options."),
    wire::call<iflow::SetThink, iflow::ThinkSet>("session/set_think", "iFlow: changes the amount of thinking.").or_no_body(),
    wire::notice<LetGo>("_parlance/let_go",
                        "To a runner: the gateway closes the connection, and the runner must not reconnect by itself."),
    wire::call<FindFiles, FoundFiles>("_parlance/files", "To a runner: finds files on its machine by typed characters."),
    wire::call<WantedSessions, EmptyReply>("_parlance/wanted", "To a runner: reports the sessions that the gateway still uses."));

inline constexpr const auto& initialize = wire::method<of_agent, "initialize">;
inline constexpr const auto& authenticate = wire::method<of_agent, "authenticate">;
inline constexpr const auto& logout = wire::method<of_agent, "logout">;
inline constexpr const auto& new_session = wire::method<of_agent, "session/new">;
inline constexpr const auto& load_session = wire::method<of_agent, "session/load">;
inline constexpr const auto& resume_session = wire::method<of_agent, "session/resume">;
inline constexpr const auto& list_sessions = wire::method<of_agent, "session/list">;
inline constexpr const auto& close_session = wire::method<of_agent, "session/close">;
inline constexpr const auto& delete_session = wire::method<of_agent, "session/delete">;
inline constexpr const auto& prompt = wire::method<of_agent, "session/prompt">;
inline constexpr const auto& cancel = wire::method<of_agent, "session/cancel">;
// On the wire it is `session/cancel`: the dialect distinguishes both by the id.
inline constexpr const auto& cancel_request = wire::method<of_agent, "session/cancel (request)">;
inline constexpr const auto& set_mode = wire::method<of_agent, "session/set_mode">;
inline constexpr const auto& set_model = wire::method<of_agent, "session/set_model">;
inline constexpr const auto& set_config_option = wire::method<of_agent, "session/set_config_option">;
inline constexpr const auto& set_think = wire::method<of_agent, "session/set_think">;
inline constexpr const auto& let_go = wire::method<of_agent, "_parlance/let_go">;
inline constexpr const auto& wanted_sessions = wire::method<of_agent, "_parlance/wanted">;
inline constexpr const auto& find_files = wire::method<of_agent, "_parlance/files">;

inline constexpr auto of_client = wire::methods(
    wire::notice<SessionUpdate>("session/update", "Reports an event of a session."),
    wire::call<RequestPermission, PermissionReply>("session/request_permission", "Asks for permission to run a tool call."),
    wire::call<ReadTextFile, FileText>("fs/read_text_file", "Reads a file as the client has it, unsaved changes included."),
    wire::call<WriteTextFile, FileWritten>("fs/write_text_file", "Writes a file.").or_no_body(),
    wire::call<CreateTerminal, TerminalCreated>("terminal/create", "Starts a command in a terminal."),
    wire::call<OfTerminal, TerminalOutput>("terminal/output", "Returns the output of a terminal so far."),
    wire::call<OfTerminal, TerminalExit>("terminal/wait_for_exit",
                                         "Waits for the end of the command, and returns its exit status."),
    wire::call<OfTerminal, EmptyReply>("terminal/kill", "Kills the command. Its output remains available.").or_no_body(),
    wire::call<OfTerminal, EmptyReply>("terminal/release", "Kills the command and deletes the terminal.").or_no_body(),
    wire::call<CreateElicitation, ElicitationReply>("elicitation/create", "Asks the person a question."),
    wire::notice<ElicitationComplete>("elicitation/complete", "Reports that the person finished the page of a question."),
    wire::notice<wire::Nothing>("//ready", "iFlow: a line of text without JSON. The agent now accepts requests."),
    wire::call<iflow::Questions, iflow::Answers>("_iflow/user/questions", "iFlow: asks the person questions."),
    wire::call<iflow::PlanExit, iflow::PlanDecision>("_iflow/plan/exit", "iFlow: asks for approval of a plan."),
    wire::call<Raw, iflow::LegacyCall>("pushToolCall", "iFlow before ACP: a tool call starts."),
    wire::call<Raw, Raw>("updateToolCall", "iFlow before ACP: a tool call changes."),
    wire::call<Raw, Raw>("notifyTaskFinish", "iFlow before ACP: the turn ended."),
    wire::call<Offer, EmptyReply>(
        "_parlance/offer", "From a runner: reports name, agents and folders. This is the first message of the connection."));

inline constexpr const auto& update = wire::method<of_client, "session/update">;
inline constexpr const auto& request_permission = wire::method<of_client, "session/request_permission">;
inline constexpr const auto& read_text_file = wire::method<of_client, "fs/read_text_file">;
inline constexpr const auto& write_text_file = wire::method<of_client, "fs/write_text_file">;
inline constexpr const auto& create_terminal = wire::method<of_client, "terminal/create">;
inline constexpr const auto& terminal_output = wire::method<of_client, "terminal/output">;
inline constexpr const auto& wait_for_exit = wire::method<of_client, "terminal/wait_for_exit">;
inline constexpr const auto& kill_terminal = wire::method<of_client, "terminal/kill">;
inline constexpr const auto& release_terminal = wire::method<of_client, "terminal/release">;
inline constexpr const auto& elicit = wire::method<of_client, "elicitation/create">;
inline constexpr const auto& elicitation_complete = wire::method<of_client, "elicitation/complete">;
inline constexpr const auto& iflow_ready = wire::method<of_client, "//ready">;
inline constexpr const auto& iflow_questions = wire::method<of_client, "_iflow/user/questions">;
inline constexpr const auto& iflow_plan_exit = wire::method<of_client, "_iflow/plan/exit">;
inline constexpr const auto& offer = wire::method<of_client, "_parlance/offer">;
inline constexpr const auto& push_tool_call = wire::method<of_client, "pushToolCall">;
inline constexpr const auto& update_tool_call = wire::method<of_client, "updateToolCall">;
inline constexpr const auto& notify_task_finish = wire::method<of_client, "notifyTaskFinish">;

}  // namespace parlance::acp::method
