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
  for (const json::Value& one : *list->array())
    if (const std::string* text = one.text()) all += (all.empty() ? "" : ", ") + *text;
  return all;
}

// Both sides speak with any other version; what one of them does not know yet it says when it is asked.
void compare_versions(DoctorReport& report, const std::string& name, std::string_view theirs) {
  if (theirs == PARLANCE_VERSION) return;
  const std::string is = theirs.empty() ? "does not say its version" : "is version " + std::string(theirs);
  report.note("runner " + name,
              is + ", this is " PARLANCE_VERSION ": what only one of them knows is refused in words; update the older one");
}

Task<Result<void>> knock(Loop& loop, std::string url, std::string token) {
  auto frames = co_await connect_websocket(
      loop, {.url = std::move(url), .headers = {{.name = "Authorization", .value = "Bearer " + token}}});
  if (!frames) co_return std::unexpected(std::move(frames).error());
  (*frames)->close();
  co_return Result<void>{};
}

std::string cure_of(const Error& error, const std::string& shown) {
  if (error.code == Errc::denied && error.message.contains("certificate"))
    return "give the gateway's proxy a certificate that this machine trusts, or name the authority with SSL_CERT_FILE";
  if (error.code == Errc::denied)
    return "take the gateway's token, or of a team: parlance tokens create NAME --kind runner; put it into PARLANCE_TOKEN or "
           "--token-file";
  if (error.code == Errc::not_found)
    return "the address ends in /runner; a gateway from before there were runners has none: update it";
  return "see that " + shown + " is up and can be reached from here; a proxy has to let WebSockets through";
}

}  // namespace

void tell_runners(DoctorReport& report, const std::string& health) {
  const auto body = json::parse(health);
  const json::Value* runners = body ? body->find("runners") : nullptr;
  if (runners == nullptr || runners->array() == nullptr) return;
  for (const json::Value& one : *runners->array()) {
    const std::string name(one.text_or("name", ""));
    const std::string who =
        std::string(one.text_or("account", "")) + ", with " + joined(one.find("agents")) + " in " + joined(one.find("folders"));
    const std::string since = " since " + std::string(one.text_or("since", ""));
    const std::string_view state = one.text_or("state", "");
    if (state == "here") report.good("runner " + name, "connected" + since + ": " + who);
    else if (state == "elsewhere") report.good("runner " + name, "connected to another gateway" + since + ": " + who);
    else
      report.bad("runner " + name, "not connected" + since + ": " + who,
                 "start it on its machine: parlance runner --name " + name +
                     "; there, parlance doctor --to URL says what is in the way");
    if (state != "gone") compare_versions(report, name, one.text_or("version", ""));
  }
}

void check_way_to_gateway(DoctorReport& report, Loop& loop, const Settings& settings, const std::string& to,
                          const std::string& token_file) {
  const auto address = GatewayAddress::parse(to, runner_path);
  if (!address) return report.bad("--to", address.error().message, "give wss://HOST[:PORT]/runner");
  if (address->in_clear) report.note("--to", address->shown + ": the token and all that is said go unencrypted; wss:// encrypts");
  const auto token = token_for(*address, token_file, settings);
  if (!token)
    return report.bad("token", token.error().message, "parlance tokens create NAME --kind runner prints one, at the gateway");
  const auto there = loop.block_on(knock(loop, address->url, *token));
  if (there) report.good("--to", address->shown + " lets a runner in with this token");
  else report.bad("--to", address->shown + ": " + there.error().message, cure_of(there.error(), address->shown));
}

}  // namespace parlance::app
