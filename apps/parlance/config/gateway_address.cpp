// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/config/gateway_address.h"

#include "parlance/transport/http/http_source.h"

namespace parlance::app {

Result<GatewayAddress> GatewayAddress::parse(std::string text, std::string_view path) {
  const std::string cure = "give wss://HOST[:PORT]" + std::string(path == page_path ? "" : path);
  const bool secure = text.starts_with("wss://");
  if (!secure && !text.starts_with("ws://"))
    return fail(Errc::invalid_params,
                "--to: \"" + text.substr(0, text.find_first_of("?#")) + "\" is no address of a gateway; " + cure);
  const std::size_t begin = text.find("://") + 3;
  const std::size_t behind = text.find_first_of("/?#", begin);
  const std::string host_and_port = text.substr(begin, behind == std::string::npos ? behind : behind - begin);
  const auto authority = parse_authority(host_and_port);  // a view of it
  if (!authority || authority->name.empty()) return fail(Errc::invalid_params, "--to: \"" + text + "\" names no host; " + cure);
  const std::string named = behind == std::string::npos ? "" : text.substr(behind);
  // One address for all programs: a path that ends as one of the gateway's own paths means the gateway.
  std::string_view before = named == "/" ? "" : std::string_view(named);
  for (const std::string_view own : {runner_path, page_path, std::string_view("/acp")})
    if (before.ends_with(own)) before.remove_suffix(own.size());
  if (before.size() != named.size() || named.empty()) text = text.substr(0, behind) + std::string(before) + std::string(path);
  const bool here = is_loopback_name(authority->name);
  return GatewayAddress{
      .url = text, .shown = text.substr(0, text.find('?')), .on_this_machine = here, .in_clear = !secure && !here};
}

}  // namespace parlance::app
