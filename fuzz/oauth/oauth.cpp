// SPDX-License-Identifier: Apache-2.0
// Bytes of strangers in a login: the header WWW-Authenticate, metadata, registration, tokens and redirects. The first byte selects the
// reader. Checks beyond "no crash": accepted addresses are permitted, and tokens fit a header.
#include <algorithm>
#include <cstdint>
#include <string>

#include "parlance/base/check.h"
#include "parlance/oauth/challenge.h"
#include "parlance/oauth/discovery.h"
#include "parlance/oauth/grant.h"
#include "parlance/oauth/limits.h"

namespace {

using namespace parlance;
using namespace parlance::oauth;

const Address& server() {
  static const Address made = parse_address("https://mcp.example/mcp").value();
  return made;
}

void read_header(std::string_view text) {
  for (const Challenge& challenge : parse_challenges(text))
    PARLANCE_CHECK(!challenge.scheme.empty() && challenge.parameters.size() <= limits::oauth_parameters, "a bounded challenge");
  const Challenge challenge = token_challenge({{"WWW-Authenticate", std::string(text)}});
  for (const std::string& place : resource_metadata_places(server(), challenge))
    if (const auto named = check_named(server(), place))
      PARLANCE_CHECK(named->scheme == "https" && !named->is_loopback(), "only permitted addresses");
  const std::string scope = wanted_scope(challenge, {}, {}, "");
  PARLANCE_CHECK(std::ranges::all_of(scope, [](char c) { return c >= 0x20 && c < 0x7f; }), "a scope that fits a request");
}

void read_metadata(std::string_view text) {
  if (const auto resource = read_resource_metadata(server(), text))
    PARLANCE_CHECK(parse_address(resource->resource)->origin() == server().origin(), "the server's own metadata");
  const auto metadata = read_server_metadata(server(), "https://auth.example", text);
  if (!metadata) return;
  PARLANCE_CHECK(check_named(server(), metadata->token_endpoint).has_value(), "a permitted endpoint");
  const std::string url = authorization_url(*metadata, {.client_id = "c"}, {.verifier = "v", .state = "s"});
  PARLANCE_CHECK(metadata->authorization_endpoint.empty() || check_named(server(), url).has_value(), "an address for a browser");
}

void read_answers(std::string_view text) {
  Login login;
  if (take_tokens(login, {.status = 200, .body = std::string(text)}, 0)) {
    const std::string& token = *login.access_token;
    PARLANCE_CHECK(std::ranges::all_of(token, [](char c) { return c > 0x20 && c < 0x7f; }), "a token that fits a header");
  }
  (void)take_tokens(login, {.status = 400, .body = std::string(text)}, 0);
  (void)take_registration(login, registration({}, "http://127.0.0.1:1/callback"), {.status = 201, .body = std::string(text)});
  const auto code = read_redirect({.issuer = "https://auth.example"}, parse_query(text));
  PARLANCE_CHECK(!code || !code->empty(), "a code or an error");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 3) {
    case 0: read_header(text); break;
    case 1: read_metadata(text); break;
    default: read_answers(text);
  }
  return 0;
}
