// SPDX-License-Identifier: Apache-2.0
#include "parlance/oauth/assertion.h"

#include <utility>

#include "parlance/base/base64url.h"
#include "parlance/base/secret.h"
#include "parlance/codec/json/value.h"

namespace parlance::oauth {
namespace {

constexpr std::int64_t valid_seconds = 300;

}  // namespace

Result<void> add_assertion(Form& form, const P256Key& key, const std::string& client_id, const std::string& issuer,
                           std::int64_t now_seconds) {
  json::Object claims;
  claims.set("iss", client_id);
  claims.set("sub", client_id);
  claims.set("aud", issuer);
  claims.set("jti", make_token());
  claims.set("iat", now_seconds);
  claims.set("exp", now_seconds + valid_seconds);
  const std::string text =
      to_base64url(R"({"alg":"ES256","typ":"JWT"})") + "." + to_base64url(json::to_text(json::Value(std::move(claims))));
  PARLANCE_TRY(signature, key.sign(text));
  form.emplace_back("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
  form.emplace_back("client_assertion", text + "." + to_base64url(signature));
  return {};
}

}  // namespace parlance::oauth
