// SPDX-License-Identifier: Apache-2.0
// Changes to a client's ACP messages on the way to a gateway, and back. Pure; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "parlance/codec/json/value.h"

namespace parlance::app {

// The parameters of new sessions at the gateway.
struct RelayWish {
  std::string agent{};   // empty: the gateway's choice
  std::string folder{};  // empty: the client's folder
};

// The member of this name, replaced by an object if of another type.
json::Object& object_in(json::Value& value, std::string_view name);

// For initialize: the client's files and terminals are on this machine, where no work is done; and positions are requested.
void change_initialize(json::Value& parameters);
// For session/new, /load, /resume and /list: sets the agent and the folder.
void change_session(json::Value& parameters, const RelayWish& wish, bool begins);

// The position in `_meta`; 0: none.
std::uint64_t position_in(const json::Value& told);

std::string request_text(const std::string& id_json, std::string_view method, json::Value parameters);
std::string error_text(const std::string& id_json, const Error& error);

}  // namespace parlance::app
