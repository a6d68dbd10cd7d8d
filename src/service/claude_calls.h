// The calls of tools that a host of Claude Code was told of and that have not ended. Loop thread only; a value.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "codec/json/value.h"
#include "service/claude_tool_names.h"

namespace parlance::service {

struct ToldCall {
  std::string tool{};
  json::Value input{};
  std::optional<std::string> parent{};
  std::string output{};
  bool asked = false;  // the host was asked about it
};

class ToldCalls {
 public:
  void begin(const std::string& id, ToldCall call) { calls_[id] = std::move(call); }
  // Null: not told, or ended.
  ToldCall* find(const std::string& id) {
    const auto found = calls_.find(id);
    return found == calls_.end() ? nullptr : &found->second;
  }
  std::optional<ToldCall> end(const std::string& id) {
    auto node = calls_.extract(id);
    if (node.empty()) return std::nullopt;
    return std::move(node.mapped());
  }
  // A plan is told by a call as well.
  bool tell_a_plan() const {
    return std::ranges::any_of(calls_, [](const auto& one) { return own_tool(one.second.tool) == own_tool("TodoWrite"); });
  }

 private:
  std::map<std::string, ToldCall> calls_;
};

}  // namespace parlance::service
