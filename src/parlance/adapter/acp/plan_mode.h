// SPDX-License-Identifier: Apache-2.0
// The client's texts that make an ACP agent plan without acting: the protocol has no event for this. plan_mode.cpp contains the
// texts, in English and Chinese. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace parlance::adapter {

enum class Language { english, chinese };
// Of a locale: "zh_CN.UTF-8" and "zh-cn" are Chinese, all others English.
Language language_of(std::string_view locale);

// For the settings of the session (`append_system_prompt`) and, again, in front of each message.
std::string_view plan_instructions(Language language);
// The next message once a person has approved of the plan.
std::string_view plan_execution_order(Language language);

// `<system-reminder>` … `</system-reminder>`: for the agent, not for the person. Tags of this name in the text are made harmless.
std::string system_reminder(std::string_view text);
// Whether a message consists of a single reminder: written by a program, and hidden by frontends.
bool is_reminder(std::string_view message);
// A message in plan mode: the instructions as a reminder, then the message.
std::string in_plan_mode(std::string_view message, Language language);
// The order to carry out the plan, in its sent form.
std::string execution_message(Language language);

}  // namespace parlance::adapter
