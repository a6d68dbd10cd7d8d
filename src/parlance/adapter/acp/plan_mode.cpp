// SPDX-License-Identifier: Apache-2.0
#include "parlance/adapter/acp/plan_mode.h"

#include "parlance/base/tagged.h"
#include "parlance/base/text.h"

namespace parlance::adapter {
namespace {

constexpr std::string_view reminder_begin = "<system-reminder>\n";
constexpr std::string_view reminder_end = "\n</system-reminder>";

constexpr std::string_view instructions_english =
    "Plan mode is active. The person wants to see a plan before any work.\n"
    "- Do not change anything: no edits, no new or deleted files, no commands with effects such as writing, installing, committing "
    "or reaching other machines. This rule overrides all other instructions.\n"
    "- You may read files, search, and run read-only commands.\n"
    "- Ask about unclear points before you choose an approach.\n"
    "- When you know enough, write the plan: the changes, the files, the order, and the checks. Keep the plan short and easy to "
    "read.\n"
    "- Then submit the plan with the tool for leaving plan mode (exit_plan_mode) and wait for the answer. Begin the work only "
    "after approval.";

constexpr std::string_view instructions_chinese =
    "当前处于计划模式。用户希望先看到计划，再执行任何操作。\n"
    "- "
    "不要做任何更改：不编辑文件，不新建或删除文件，不运行会写入、安装、提交或访问其他机器的命令。无论其他指令怎么说，这一条始终有"
    "效。\n"
    "- 可以阅读文件、搜索，以及运行只读命令。\n"
    "- 如果有影响方案选择的不明之处，请提问。\n"
    "- 信息足够后，写出计划：将更改什么、涉及哪些文件、按什么顺序、如何验证。计划要简短易读。\n"
    "- 然后用退出计划模式的工具（exit_plan_mode）提交计划并等待答复。只有在计划获得批准之后才能开始执行。";

constexpr std::string_view order_english =
    "The plan was approved, and plan mode is over. Carry out the approved plan now, step by step. If an assumption of the plan "
    "turns out to be wrong, say so before you take another approach.";

constexpr std::string_view order_chinese =
    "计划已获批准，计划模式已结束。现在请按照已批准的计划逐步执行。如果实际情况与计划的假设不符，请先说明，再采用其他做法。";

}  // namespace

Language language_of(std::string_view locale) {
  const std::string_view language = locale.substr(0, locale.find_first_of("_-.@"));
  return equal_ignoring_case(language, "zh") ? Language::chinese : Language::english;
}

std::string_view plan_instructions(Language language) {
  return language == Language::chinese ? instructions_chinese : instructions_english;
}

std::string_view plan_execution_order(Language language) { return language == Language::chinese ? order_chinese : order_english; }

std::string system_reminder(std::string_view text) {
  return std::string(reminder_begin) + without_tag(std::string(text), "system-reminder") + std::string(reminder_end);
}

bool is_reminder(std::string_view message) {
  const std::size_t tags = reminder_begin.size() + reminder_end.size();
  if (message.size() < tags || !message.starts_with(reminder_begin) || !message.ends_with(reminder_end)) return false;
  const std::string inside(message.substr(reminder_begin.size(), message.size() - tags));
  return without_tag(inside, "system-reminder") == inside;
}

std::string in_plan_mode(std::string_view message, Language language) {
  return system_reminder(plan_instructions(language)) + "\n\n" + std::string(message);
}

std::string execution_message(Language language) { return system_reminder(plan_execution_order(language)); }

}  // namespace parlance::adapter
