// SPDX-License-Identifier: Apache-2.0
// Addresses in documents of strangers. The parser is stricter than RFC 3986, so that it and the HTTP client always see the same host.
// Pure; any thread.
#pragma once

#include <string>
#include <string_view>

#include "parlance/base/result.h"

namespace parlance::oauth {

struct Address {
  std::string scheme{};     // "http" or "https"
  std::string authority{};  // host in lower case, and the port if given: "example.com:8443"
  std::string host{};       // without brackets
  std::string path{};       // "" or from the first '/', as written
  std::string query{};      // behind '?', as written
  std::string origin() const { return scheme + "://" + authority; }
  bool is_loopback() const;
};

// Errors: invalid_params for another scheme, a user name, a fragment, or characters outside of URLs.
Result<Address> parse_address(std::string_view url);

// Tokens travel only over https, or to a server on this machine. Errors: denied.
Result<void> check_protected(const Address& server);

// An address in a document or header of `server`: https, or http on this machine if the server itself is on this machine. A
// remote server can therefore not direct requests to services of this machine. Errors: denied, invalid_params.
Result<Address> check_named(const Address& server, std::string_view url);

}  // namespace parlance::oauth
