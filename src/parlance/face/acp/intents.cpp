// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/acp/intents.h"

#include "parlance/codec/json/typed.h"
#include "parlance/protocol/acp/runner.h"

namespace parlance::face {
namespace {

acp::IntentKind kind_of(hub::ToolKind kind) {
  switch (kind) {
    case hub::ToolKind::read: return acp::IntentKind::read;
    case hub::ToolKind::edit: return acp::IntentKind::edit;
    case hub::ToolKind::execute: return acp::IntentKind::execute;
    case hub::ToolKind::memory: return acp::IntentKind::memory;
    case hub::ToolKind::ask: return acp::IntentKind::ask;
    case hub::ToolKind::other: break;
  }
  return acp::IntentKind::other;
}

acp::IntendedMemory memory_of(hub::MemoryUse use) {
  if (use == hub::MemoryUse::keep) return acp::IntendedMemory::keep;
  return use == hub::MemoryUse::forget ? acp::IntendedMemory::forget : acp::IntendedMemory::look;
}

std::optional<acp::IntendedReason> reason_of(const hub::Reason& reason) {
  if (reason.id.empty()) return std::nullopt;
  return acp::IntendedReason{.id = reason.id, .values = reason.values};
}

}  // namespace

std::string acp_intent_meta(const hub::ToolIntent* intent) {
  if (intent == nullptr) return "";
  acp::Intent made{.kind = kind_of(intent->kind),
                   .title = intent->title,
                   .path = intent->path,
                   .real_path = intent->real_path,
                   .canonical_path = intent->canonical_path,
                   .path_inside = intent->path_inside,
                   .other_folder = intent->other_folder,
                   .command = intent->command,
                   .detail = intent->detail,
                   .memory = memory_of(intent->memory),
                   .asked_for = intent->asked_for};
  if (const auto& place = intent->guarded)
    made.guarded = acp::IntendedPlace{.path = place->path, .why = place->why, .reason = reason_of(place->reason)};
  if (const auto& look = intent->look)
    made.look = acp::IntendedLook{.problem = look->problem, .paths = look->paths, .reason = reason_of(look->reason)};
  return json::to_text(acp::PermissionMeta{.parlance = acp::RunnerMeta{.intent = std::move(made)}});
}

}  // namespace parlance::face
