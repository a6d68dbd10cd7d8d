// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/doctor/doctor_runners.h"

#include "apps/parlance/config/gateway_address.h"
#include "apps/parlance/config/gateway_token.h"
#include "parlance/codec/json/value.h"
#include "parlance/transport/http/websocket_client.h"

namespace parlance::app {
namespace {

std::string joined(const json::Value* list) {
  std::string all;
  if (list == nullptr || list->array() == nullptr) return all;
  for (const json::Value& item : *list->array())
    if (const std::string* text = item.text()) all += (all.empty() ? "" : ", ") + *text;
  return all;
}

// Both sides work with any other version, and refuse unknown requests.
void compare_versions(DoctorReport& report, const std::string& name, std::string_view theirs) {
  using enum DoctorText;
  if (theirs == PARLANCE_VERSION) return;
  report.note(report.text(part_runner, {name}), theirs.empty() ? report.text(runner_no_version, {PARLANCE_VERSION})
                                                               : report.text(runner_other_version, {theirs, PARLANCE_VERSION}));
}

Task<Result<void>> knock(Loop& loop, std::string url, std::string token) {
  auto frames = co_await connect_websocket(
      loop, {.url = std::move(url), .headers = {{.name = "Authorization", .value = "Bearer " + token}}});
  if (!frames) co_return std::unexpected(std::move(frames).error());
  (*frames)->close();
  co_return Result<void>{};
}

DoctorText cure_of(const Error& error) {
  if (error.code == Errc::denied && error.message.contains("certificate")) return DoctorText::way_certificate;
  if (error.code == Errc::denied) return DoctorText::way_use_token;
  return error.code == Errc::not_found ? DoctorText::way_update : DoctorText::way_reach;
}

}  // namespace

void report_runners(DoctorReport& report, const std::string& health) {
  using enum DoctorText;
  const auto body = json::parse(health);
  const json::Value* runners = body ? body->find("runners") : nullptr;
  if (runners == nullptr || runners->array() == nullptr) return;
  for (const json::Value& runner : *runners->array()) {
    const std::string name(runner.text_or("name", ""));
    const std::string what = report.text(part_runner, {name});
    const std::string agents = joined(runner.find("agents"));
    const std::string folders = joined(runner.find("folders"));
    const std::string_view state = runner.text_or("state", "");
    const auto found = [&](DoctorText id) {
      return report.text(id, {runner.text_or("since", ""), runner.text_or("account", ""), agents, folders});
    };
    if (state == "here") report.good(what, found(runner_connected));
    else if (state == "elsewhere") report.good(what, found(runner_elsewhere));
    else report.bad(what, found(runner_not_connected), report.text(runner_start, {name}));
    if (state != "gone") compare_versions(report, name, runner.text_or("version", ""));
  }
}

void check_way_to_gateway(DoctorReport& report, Loop& loop, const Settings& settings, const std::string& to,
                          const std::string& token_file) {
  using enum DoctorText;
  const auto address = GatewayAddress::parse(to, runner_path);
  if (!address) return report.bad("--to", address.error().message, report.text(way_form));
  if (address->in_clear) report.note("--to", report.text(way_unencrypted, {address->shown}));
  const auto token = token_for(*address, token_file, settings);
  if (!token) return report.bad(part_token, token.error().message, report.text(way_make_token));
  const auto there = loop.block_on(knock(loop, address->url, *token));
  if (there) report.good("--to", report.text(way_accepts, {address->shown}));
  else report.bad("--to", address->shown + ": " + there.error().message, report.text(cure_of(there.error()), {address->shown}));
}

}  // namespace parlance::app
