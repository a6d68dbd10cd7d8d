// SPDX-License-Identifier: Apache-2.0
// For tests of the decoder: streams of a Chat from an encoder other than ours.
#pragma once

#include "parlance/codec/gob/define.h"
#include "parlance/codec/gob/test_messages.h"

namespace parlance::gob::test {

// Types by hand, with ids that are not Go's: expectations about particular ids would show.
inline const std::string request_type = define::structure(900, "R", {{"ServiceMethod", id_string}, {"Seq", id_uint}});
inline const std::string args_types =
    define::structure(901, "A", {{"Messages", 902}}) + define::slice(902, "", 903) +
    define::structure(903, "M", {{"Role", id_string}, {"Content", id_string}, {"ToolExecutionResults", 904}}) +
    define::slice(904, "", 905) +
    define::structure(905, "TR", {{"ID", id_string}, {"Type", id_string}, {"Result", id_interface}});
inline std::string chat(std::string_view content) {
  return message_of(i(901) + rec({{0, u(1) + rec({{0, s("user")}, {1, s(content)}})}}));
}
inline std::string chat_result(const std::string& interface_value) {
  return message_of(i(901) + rec({{0, u(1) + rec({{2, u(1) + rec({{0, s("c1")}, {2, interface_value}})}})}}));
}
inline std::string interface_value(std::string_view name, TypeId id, const std::string& top) {
  return s(name) + i(id) + u(top.size()) + top;
}

}  // namespace parlance::gob::test
