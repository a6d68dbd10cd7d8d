// SPDX-License-Identifier: Apache-2.0
// The wire form of a conversation with its queue. Any thread.
#pragma once

#include "parlance/hub/conversation/conversation.h"
#include "parlance/wire_form/hub_tables.h"

namespace parlance::hub {  // found by argument-dependent lookup

constexpr auto wire_names(ConversationState) { return wire::names("idle", "running", "waiting"); }

}  // namespace parlance::hub

namespace parlance::wire {

template <>
struct Describe<hub::QueuedPrompt> {
  static constexpr auto wire =
      fields(field<&hub::QueuedPrompt::id>("id", "Id of the queued prompt, for `withdraw`."),
             field<&hub::QueuedPrompt::text>("text", "Text of the prompt."),
             field<&hub::QueuedPrompt::options>("options", "Settings of the frontend for this turn. Absent: none."),
             field<&hub::QueuedPrompt::attachments>("attachments", "Attachments of the prompt. Absent: none."),
             field<&hub::QueuedPrompt::context>("context", "Context of the person's editor. Absent: none."),
             field<&hub::QueuedPrompt::by>("by", "Name of the author. Absent: the person of the machine."));
};
template <>
struct Describe<hub::Conversation> {
  using C = hub::Conversation;
  static constexpr auto wire = fields(
      field<&C::id, C>("id", "Id of the conversation."),
      field<&C::title, C>("title", "Title: derived from the first message, or given by a person."),
      field<&C::agent, C>("agent", "Id of the agent."), field<&C::folder, C>("folder", "Absolute path of the working folder."),
      field<&C::folders, C>("folders", "Additional folders. Their files count as inside.").or_default(),
      field<&C::named, C>("named", "True: a person gave the title.").or_default(),
      field<&C::archived, C>("archived", "True: the conversation is archived. Absent: false."),
      field<&C::mode, C>("mode", "Mode of the conversation, which decides about requests."),
      field<&C::model, C>("model", "Name of the model. Empty: the agent's default."),
      field<&C::think, C>("think", "True: the model thinks before it answers."),
      field<&C::options, C>("options", "Changed options of the agent. Other options have the agent's values."),
      field<&C::state, C>("state", "State of the conversation: idle, running, or waiting for a person."),
      field<&C::open_asks, C>("open_asks", "Number of open requests."),
      field<&C::queued, C>("queued", "Prompts that wait for the running turn."),
      field<&C::waits_for, C>(
          "waits_for",
          "Reason of a wait for something other than a person: a text, or an id with numbers (model.retry SECONDS ATTEMPT "
          "ATTEMPTS, model.silent SECONDS). Absent: no such wait."),
      field<&C::last_seq, C>("last_seq", "Number of the newest event. 0: none."),
      field<&C::created_at, C>("created_at", "Time of creation, RFC 3339 in UTC."),
      field<&C::updated_at, C>("updated_at", "Time of the last change, RFC 3339 in UTC."),
      field<&C::via, C>("via", "Origin of the conversation: http, for a program's single request. Absent: a person."),
      field<&C::user, C>("user", "Id of the conversation's user. Absent: the person of the machine."),
      field<&C::access, C>("access", "Access of other users. Absent: private."),
      field<&C::runner, C>("place", "Name of the runner. Absent: the gateway's machine."));
};

}  // namespace parlance::wire
