// SPDX-License-Identifier: Apache-2.0
// Models that need no further input of a person: servers on this machine, and keys in the environment. Nothing is sent to a
// vendor, and no key to any server. Loop thread only.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/async/loop.h"
#include "parlance/async/task.h"
#include "parlance/model/connection/vendors.h"

namespace parlance::model {

struct FoundModel {
  std::string vendor{};               // id of vendors.h
  std::string url{};                  // address of the server
  std::vector<std::string> models{};  // of a server on this machine, at least one
  std::string key_variable{};         // for a vendor: name of the variable with a key
  friend bool operator==(const FoundModel&, const FoundModel&) = default;
};

inline constexpr std::chrono::milliseconds local_search_time{300};  // a local server lists its models within 5 ms

// Asks the servers of `asked` for their models, all at the same time and within local_search_time. Servers without a model, and
// programs that are no model servers, are left out. The order is that of `asked`.
Task<std::vector<FoundModel>> find_local_models(Loop& loop, std::span<const Vendor> asked = vendors());

// Vendors with a key in the environment, in the order of vendors().
std::vector<FoundModel> find_keys(const std::function<std::optional<std::string>(std::string_view)>& variable);

// The best first: a vendor with a key answers better than a small local model; the orders inside both groups stay.
Task<std::vector<FoundModel>> find_models(Loop& loop, std::function<std::optional<std::string>(std::string_view)> variable);

}  // namespace parlance::model
