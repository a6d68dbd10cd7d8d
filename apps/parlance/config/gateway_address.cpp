#include "apps/parlance/config/gateway_address.h"

#include "parlance/transport/http/http_source.h"

namespace parlance::app {

Result<GatewayAddress> GatewayAddress::parse(std::string text) {
  const bool secure = text.starts_with("wss://");
  if (!secure && !text.starts_with("ws://"))
    return fail(Errc::invalid_params, "--to: \"" + text + "\" is no address of a gateway; give wss://HOST[:PORT]/runner");
  const std::size_t begin = text.find("://") + 3;
  const std::size_t path = text.find_first_of("/?#", begin);
  const std::string host_and_port = text.substr(begin, path == std::string::npos ? path : path - begin);
  const auto authority = parse_authority(host_and_port);  // a view of it
  if (!authority || authority->name.empty())
    return fail(Errc::invalid_params, "--to: \"" + text + "\" names no host; give wss://HOST[:PORT]/runner");
  if (path == std::string::npos) text += "/runner";
  else if (text.substr(path) == "/") text += "runner";
  return GatewayAddress{.url = text,
                        .shown = text.substr(0, text.find('?')),
                        .in_clear = !secure && !is_loopback_name(authority->name)};
}

}  // namespace parlance::app
