// SPDX-License-Identifier: Apache-2.0
// What an agent over ACP has to be told by its client so that it plans and does not act: the protocol has no event for it. The texts, in
// English and Chinese, stand in plan_mode.cpp and nowhere else. Pure; any thread.
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

// `<system-reminder>` … `</system-reminder>`: for the agent, not for the person. Tags of that name in the text are made harmless.
std::string system_reminder(std::string_view text);
// A message that is one such reminder and nothing else: no person wrote it, and a face does not show it as theirs.
bool is_reminder(std::string_view message);
// A message in plan mode: the instructions as a reminder, then the message.
std::string in_plan_mode(std::string_view message, Language language);
// The order to carry it out, as it is sent.
std::string execution_message(Language language);

}  // namespace parlance::adapter
