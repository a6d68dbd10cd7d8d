// SPDX-License-Identifier: Apache-2.0
// Collects the facts of a call from an ACP agent, and from a runner about its agent. The judge interprets the facts.
#include <algorithm>

#include "parlance/codec/json/typed.h"
#include "parlance/codec/json/value.h"
#include "parlance/driver/acp/permission_asks.h"
#include "parlance/driver/acp/words.h"
#include "parlance/hub/conversation/session_setup.h"
#include "parlance/toolbox/conversation_tools.h"
#include "parlance/toolbox/judge.h"
#include "parlance/toolbox/memory_tools.h"

namespace parlance::driver {
namespace {

std::optional<hub::Diff> first_diff_of(const AcpUpdates::Call& call) {
  for (const acp::ToolContent& content : call.content)
    if (const auto* diff = std::get_if<acp::ToolDiff>(&content.value)) return diff_of(*diff);
  return std::nullopt;
}

hub::ToolKind kind_of(hub::CallKind kind) {
  switch (kind) {
    case hub::CallKind::read:
    case hub::CallKind::search: return hub::ToolKind::read;
    case hub::CallKind::edit:
    case hub::CallKind::delete_:
    case hub::CallKind::move: return hub::ToolKind::edit;
    case hub::CallKind::execute: return hub::ToolKind::execute;
    default: return hub::ToolKind::other;
  }
}

hub::MemoryUse memory_of(acp::IntendedMemory use) {
  if (use == acp::IntendedMemory::keep) return hub::MemoryUse::keep;
  return use == acp::IntendedMemory::forget ? hub::MemoryUse::forget : hub::MemoryUse::look;
}

// From all fields in which agents describe a call.
toolbox::ReportedCall reported(const AcpUpdates::Call& call) {
  toolbox::ReportedCall report{
      .tool = call.tool, .title = call.title.empty() ? call.tool : call.title, .label = kind_of(call.kind)};
  for (const std::string& input : {call.input_json, call.args_json})
    if (!input.empty()) report.inputs.push_back(json::parse_or_null(input));
  for (const acp::ToolLocation& location : call.locations) report.paths.push_back(location.path);
  for (const acp::ToolContent& content : call.content) {
    if (const auto* diff = std::get_if<acp::ToolDiff>(&content.value)) report.paths.push_back(diff->path);
    if (const auto* text = std::get_if<acp::ToolText>(&content.value); text != nullptr && !text->args.json.empty())
      report.inputs.push_back(json::parse_or_null(text->args.json));
  }
  return report;
}

// Tools of the runner's built-in agent are known by name; another tool with the same claim has an unknown effect.
void take_own_kind(hub::ToolIntent& intent, std::string_view tool, const acp::Intent& reported) {
  if (reported.kind == acp::IntentKind::ask && toolbox::is_conversation_tool(tool)) intent.kind = hub::ToolKind::ask;
  if (reported.kind != acp::IntentKind::memory || !toolbox::MemoryTools::has(tool)) return;
  intent.kind = hub::ToolKind::memory;
  intent.memory = std::max(memory_of(reported.memory), toolbox::MemoryTools::use_of(tool));
}

hub::ToolKind label_of(const AcpUpdates::Call& call, const acp::Intent& intent) {
  const hub::ToolKind announced = kind_of(call.kind);
  if (intent.kind == acp::IntentKind::execute || announced == hub::ToolKind::execute) return hub::ToolKind::execute;
  if (intent.kind == acp::IntentKind::read) return announced == hub::ToolKind::edit ? announced : hub::ToolKind::read;
  return intent.kind == acp::IntentKind::edit ? hub::ToolKind::edit : hub::ToolKind::other;
}

hub::Reason reason_of(const std::optional<acp::IntendedReason>& reported) {
  hub::Reason reason;
  if (reported) {
    reason.id = reported->id;
    reason.values = reported->values;
  }
  return reason;
}

// Uses the runner's resolved path only if its name confirms the claim: a path counts as inside only if its text is inside too.
void lower_place(hub::ToolIntent& intent, const acp::Intent& reported, const toolbox::Folders& folders) {
  const bool inside = reported.path_inside && reported.real_path && toolbox::is_named_inside(*reported.real_path, folders);
  const bool was_inside = intent.path_inside || !intent.path;
  if (reported.path) intent.path = reported.path;
  intent.real_path = reported.real_path;
  intent.canonical_path = reported.canonical_path;
  intent.other_folder = reported.other_folder;
  intent.path_inside = inside && was_inside;
  if (const auto& place = reported.guarded)
    intent.guarded = hub::GuardedPlace{.path = place->path, .why = place->why, .reason = reason_of(place->reason)};
  else if (reported.real_path && !intent.guarded) intent.guarded = toolbox::guarded_by_name(*reported.real_path);
}

// The runner's claim "only reads" counts if all read paths are inside by name; policy also requires a row of its table.
void lower_look(hub::ToolIntent& intent, const acp::Intent& reported, const toolbox::Folders& folders) {
  if (!reported.look) return;
  const bool inside =
      std::ranges::all_of(reported.look->paths, [&](const auto& path) { return toolbox::is_named_inside(path, folders); });
  std::string problem = reported.look->problem;
  hub::Reason reason = reason_of(reported.look->reason);
  if (problem.empty() && !inside) {
    reason = hub::ReasonId::words_lead_outside;
    problem = in_words(reason);
  }
  if (!intent.look) intent.look = hub::CommandLook{};
  if (intent.look->problem.empty()) {
    intent.look->problem = std::move(problem);
    intent.look->reason = std::move(reason);
  }
  intent.look->paths.insert(intent.look->paths.end(), reported.look->paths.begin(), reported.look->paths.end());
}

}  // namespace

// A runner's report can only make the decision stricter: the call's own facts and the names of its paths count first.
hub::ToolIntent reported_intent(const AcpUpdates::Call& call, std::string_view meta_json, const hub::SessionSetup& setup) {
  const toolbox::Folders folders = toolbox::folders_of(setup);
  const auto meta = json::from_text<acp::PermissionMeta>(meta_json.empty() ? "{}" : meta_json);
  toolbox::ReportedCall report = reported(call);
  if (!meta || !meta->parlance || !meta->parlance->intent) {
    report.label = hub::ToolKind::other;
    hub::ToolIntent unknown = toolbox::judge_by_name(report, folders);
    unknown.diff = first_diff_of(call);
    return unknown;
  }
  const acp::Intent& reported = *meta->parlance->intent;
  report.title = reported.title;
  report.label = label_of(call, reported);
  if (reported.command) report.inputs.emplace_back(*reported.command);
  hub::ToolIntent intent = toolbox::judge_by_name(report, folders);
  if (intent.kind == hub::ToolKind::other && intent.also.empty() && !intent.path) take_own_kind(intent, call.tool, reported);
  if (intent.kind == hub::ToolKind::execute) lower_look(intent, reported, folders);
  else lower_place(intent, reported, folders);
  intent.diff = first_diff_of(call);
  if (reported.detail) intent.detail = reported.detail;
  return intent;
}

hub::ToolIntent acp_intent(const AcpUpdates::Call& call, const hub::SessionSetup& setup) {
  hub::ToolIntent intent = toolbox::judge(reported(call), toolbox::folders_of(setup));
  if (intent.kind != hub::ToolKind::execute) intent.diff = first_diff_of(call);
  return intent;
}

}  // namespace parlance::driver
