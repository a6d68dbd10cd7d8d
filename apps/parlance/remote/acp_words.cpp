// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/remote/acp_words.h"

#include <algorithm>
#include <utility>

#include "parlance/protocol/acp/errors.h"

namespace parlance::app {

json::Object& object_in(json::Value& value, std::string_view name) {
  if (value.object() == nullptr) value = json::Object{};
  auto& members = value.object()->members;
  const auto found = std::ranges::find(members, name, [](const auto& one) { return std::string_view(one.first); });
  json::Value& member = found != members.end() ? found->second : value.object()->set(std::string(name), json::Object{});
  if (member.object() == nullptr) member = json::Object{};
  return *member.object();
}

void change_initialize(json::Value& parameters) {
  json::Object& can = object_in(parameters, "clientCapabilities");
  can.set("terminal", false);
  json::Object files;
  files.set("readTextFile", false);
  files.set("writeTextFile", false);
  can.set("fs", std::move(files));
  json::Value ours = json::Object{};
  ours.object()->set("positions", true);
  object_in(parameters, "_meta").set("parlance", std::move(ours));
}

void change_session(json::Value& parameters, const RelayWish& wish, bool begins) {
  if (parameters.object() == nullptr) parameters = json::Object{};
  if (!wish.folder.empty() && (begins || parameters.find("cwd") != nullptr)) parameters.object()->set("cwd", wish.folder);
  if (wish.agent.empty()) return;
  json::Value ours = json::Object{};
  if (const json::Value* const meta = parameters.find("_meta"))
    if (const json::Value* const theirs = meta->find("parlance")) ours = *theirs;
  if (ours.text_or("agent", "").empty()) ours.object()->set("agent", wish.agent);
  object_in(parameters, "_meta").set("parlance", std::move(ours));
}

std::uint64_t position_in(const json::Value& told) {
  const json::Value* const meta = told.find("_meta");
  const json::Value* const ours = meta == nullptr ? nullptr : meta->find("parlance");
  const std::int64_t position = ours == nullptr ? 0 : ours->integer_or("position", 0);
  return position > 0 ? static_cast<std::uint64_t>(position) : 0;
}

std::string request_text(const std::string& id_json, std::string_view method, json::Value parameters) {
  return R"({"jsonrpc":"2.0","id":)" + id_json + ",\"method\":" + json::to_text(json::Value(method)) +
         ",\"params\":" + json::to_text(parameters) + "}";
}

std::string error_text(const std::string& id_json, const Error& error) {
  json::Object told;
  told.set("code", static_cast<std::int64_t>(acp::code_of(error)));
  told.set("message", error.message);
  return R"({"jsonrpc":"2.0","id":)" + id_json + ",\"error\":" + json::to_text(json::Value(std::move(told))) + "}";
}

}  // namespace parlance::app
