// SPDX-License-Identifier: Apache-2.0
// The methods of the Agent Client Protocol, version 1, and of iFlow's dialect of it. Two tables, by who serves: what a client asks an
// agent, and what an agent asks or tells its client. Values; any thread.
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
    wire::call<InitializeParams, InitializeResult>("initialize", "Begins the connection; nothing else before it was answered."),
    wire::call<Authenticate, Authenticated>("authenticate", "Signs in.").or_no_body(),
    wire::call<Logout, EmptyReply>("logout", "Signs out.").or_no_body(),
    wire::call<NewSession, SessionState>("session/new", "Begins a session."),
    wire::call<LoadSession, SessionState>("session/load", "Takes one up: what was said comes as updates before the answer.")
        .or_no_body(),
    wire::call<LoadSession, SessionState>("session/resume", "Takes one up without telling what was said.").or_no_body(),
    wire::call<ListSessions, SessionList>("session/list", "Sessions that can be taken up."),
    wire::call<OfSession, EmptyReply>("session/close", "Lets go of it.").or_no_body(),
    wire::call<OfSession, EmptyReply>("session/delete", "Forgets it.").or_no_body(),
    wire::call<Prompt, PromptResult>("session/prompt", "A turn; one at a time in a session.").or_no_body(),
    wire::notice<OfSession>("session/cancel", "Ends the running turn; its prompt answers `cancelled`."),
    wire::call<OfSession, Raw>("session/cancel (request)", "The same with an id, as the iFlow SDK sends it; answered with null."),
    wire::call<SetMode, ModeSet>("session/set_mode", "Changes the mode.").or_no_body(),
    wire::call<SetModel, ModelSet>("session/set_model", "Changes the model; of agents that make no option of it.").or_no_body(),
    wire::call<SetConfigOption, ConfigOptions>("session/set_config_option", "Changes an option."),
    wire::call<iflow::SetThink, iflow::ThinkSet>("session/set_think", "iFlow: how much to think.").or_no_body(),
    wire::notice<LetGo>("_parlance/let_go", "Of a runner: its gateway wants it no more, and it is not to come back by itself."),
    wire::call<FindFiles, FoundFiles>("_parlance/files", "Of a runner: files of its machine that fit what somebody types."),
    wire::call<WantedSessions, EmptyReply>("_parlance/wanted", "Of a runner: which of its sessions are still wanted."));

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
// On the wire it is `session/cancel`: the dialect tells the two apart by the id.
inline constexpr const auto& cancel_request = wire::method<of_agent, "session/cancel (request)">;
inline constexpr const auto& set_mode = wire::method<of_agent, "session/set_mode">;
inline constexpr const auto& set_model = wire::method<of_agent, "session/set_model">;
inline constexpr const auto& set_config_option = wire::method<of_agent, "session/set_config_option">;
inline constexpr const auto& set_think = wire::method<of_agent, "session/set_think">;
inline constexpr const auto& let_go = wire::method<of_agent, "_parlance/let_go">;
inline constexpr const auto& wanted_sessions = wire::method<of_agent, "_parlance/wanted">;
inline constexpr const auto& find_files = wire::method<of_agent, "_parlance/files">;

inline constexpr auto of_client =
    wire::methods(wire::notice<SessionUpdate>("session/update", "What happens in a session."),
                  wire::call<RequestPermission, PermissionReply>("session/request_permission", "May this tool run?"),
                  wire::call<ReadTextFile, FileText>("fs/read_text_file", "A file as the client has it."),
                  wire::call<WriteTextFile, FileWritten>("fs/write_text_file", "Writes a file.").or_no_body(),
                  wire::call<CreateTerminal, TerminalCreated>("terminal/create", "Begins a command."),
                  wire::call<OfTerminal, TerminalOutput>("terminal/output", "What it wrote so far."),
                  wire::call<OfTerminal, TerminalExit>("terminal/wait_for_exit", "Answered when it ends."),
                  wire::call<OfTerminal, EmptyReply>("terminal/kill", "Ends it; its output stays.").or_no_body(),
                  wire::call<OfTerminal, EmptyReply>("terminal/release", "Ends it, and forgets it.").or_no_body(),
                  wire::call<CreateElicitation, ElicitationReply>("elicitation/create", "Asks the person."),
                  wire::notice<ElicitationComplete>("elicitation/complete", "The person is done with a page."),
                  wire::notice<wire::Nothing>("//ready", "iFlow: a line of text and no JSON. The agent can be talked to."),
                  wire::call<iflow::Questions, iflow::Answers>("_iflow/user/questions", "iFlow: asks the person."),
                  wire::call<iflow::PlanExit, iflow::PlanDecision>("_iflow/plan/exit", "iFlow: may the plan be carried out?"),
                  wire::call<Raw, iflow::LegacyCall>("pushToolCall", "iFlow, before ACP: a call begins."),
                  wire::call<Raw, Raw>("updateToolCall", "iFlow, before ACP: a call changes."),
                  wire::call<Raw, Raw>("notifyTaskFinish", "iFlow, before ACP: the turn is over."),
                  wire::call<Offer, EmptyReply>("_parlance/offer", "A runner says what it has; before all else."));

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
