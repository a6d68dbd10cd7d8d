// SPDX-License-Identifier: Apache-2.0
#include "parlance/gateway/security_headers.h"

namespace parlance::gateway {
namespace {

void add(std::vector<HttpHeader>& headers, std::string_view name, std::string value) {
  if (find_header(headers, name) == nullptr) headers.push_back({.name = std::string(name), .value = std::move(value)});
}

// The page loads scripts and its style sheet only from this server, never inline. Pictures from blob: are pictures that the page
// fetched with its token.
std::string page_policy(std::string_view host) {
  std::string connect = "'self'";
  if (!host.empty()) {
    connect += " ws://";
    connect += host;
    connect += " wss://";
    connect += host;
  }
  return "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src " + connect +
         "; font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
}

}  // namespace

void add_security_headers(std::vector<HttpHeader>& headers, std::string_view host) {
  const std::string* type = find_header(headers, "Content-Type");
  const bool is_page = type != nullptr && type->starts_with("text/html");
  add(headers, "Content-Security-Policy", is_page ? page_policy(host) : "default-src 'none'; frame-ancestors 'none'");
  add(headers, "X-Content-Type-Options", "nosniff");
  add(headers, "X-Frame-Options", "DENY");
  add(headers, "Referrer-Policy", "no-referrer");
  add(headers, "Cross-Origin-Resource-Policy", "same-origin");
  add(headers, "Cross-Origin-Opener-Policy", "same-origin");
  add(headers, "Cache-Control", "no-store");
}

}  // namespace parlance::gateway
