// SPDX-License-Identifier: Apache-2.0
#include "parlance/model/connection/detect.h"

#include <utility>

#include "parlance/async/scope.h"
#include "parlance/base/text.h"
#include "parlance/model/connection/probe.h"

namespace parlance::model {
namespace {

Task<void> ask(Loop& loop, const Vendor& vendor, std::vector<std::string>& models) {
  const auto endpoint = make_endpoint({.kind = vendor.kind, .url = std::string(vendor.url)});
  if (!endpoint) co_return;
  const auto http = lazy_http(loop);
  auto ids = co_await list_models(*http, *endpoint, {.connect = local_search_time, .total = local_search_time});
  if (ids) models = *std::move(ids);
}

}  // namespace

Task<std::vector<FoundModel>> find_local_models(Loop& loop, std::span<const Vendor> asked) {
  std::vector<std::vector<std::string>> models(asked.size());
  Scope scope(loop);
  for (std::size_t i = 0; i < asked.size(); ++i)
    if (asked[i].place == Place::this_machine) scope.start(ask(loop, asked[i], models[i]));
  co_await scope.join();
  std::vector<FoundModel> found;
  for (std::size_t i = 0; i < asked.size(); ++i)
    if (!models[i].empty())
      found.push_back({.vendor = std::string(asked[i].id), .url = std::string(asked[i].url), .models = std::move(models[i])});
  co_return found;
}

std::vector<FoundModel> find_keys(const std::function<std::optional<std::string>(std::string_view)>& variable) {
  std::vector<FoundModel> found;
  for (const Vendor& vendor : vendors()) {
    for (const std::string_view name : vendor.key_variables) {
      const auto value = name.empty() ? std::nullopt : variable(name);
      if (!value || trim(*value).empty()) continue;
      found.push_back({.vendor = std::string(vendor.id), .url = std::string(vendor.url), .key_variable = std::string(name)});
      break;
    }
  }
  return found;
}

Task<std::vector<FoundModel>> find_models(Loop& loop, std::function<std::optional<std::string>(std::string_view)> variable) {
  std::vector<FoundModel> found = find_keys(variable);
  for (FoundModel& local : co_await find_local_models(loop)) found.push_back(std::move(local));
  co_return found;
}

}  // namespace parlance::model
