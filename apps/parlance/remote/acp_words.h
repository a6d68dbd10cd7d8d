// SPDX-License-Identifier: Apache-2.0
// What changes in a client's messages of ACP on their way to a gateway, and back. Pure; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "parlance/codec/json/value.h"

namespace parlance::app {

// How sessions are begun over there.
struct RelayWish {
  std::string agent{};   // empty: the gateway's choice
  std::string folder{};  // empty: what the client says
};

// The member of that name, made an object where it is none.
json::Object& object_in(json::Value& value, std::string_view name);

// Of initialize: the client's files and terminals are of this machine, where nothing is done; and positions are wanted.
void change_initialize(json::Value& parameters);
// Of session/new, /load, /resume and /list: who is to answer, and where.
void change_session(json::Value& parameters, const RelayWish& wish, bool begins);

// The position in `_meta`; 0: none is told.
std::uint64_t position_in(const json::Value& told);

std::string request_text(const std::string& id_json, std::string_view method, json::Value parameters);
std::string error_text(const std::string& id_json, const Error& error);

}  // namespace parlance::app
