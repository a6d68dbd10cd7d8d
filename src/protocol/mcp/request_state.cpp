#include "protocol/mcp/request_state.h"

#include "base/base64.h"
#include "base/secret.h"
#include "base/sha256.h"
#include "codec/json/typed.h"

namespace parlance::mcp {
namespace {

constexpr std::size_t block_bytes = 64;

std::string digest(BytesView first, BytesView second) {
  Sha256 hash;
  const auto bytes = hash.add(first).add(second).finish();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

std::string hmac_sha256(BytesView secret, BytesView message) {
  std::string key(secret.size() > block_bytes ? digest(secret, {}) : std::string(secret));
  key.resize(block_bytes, '\0');
  std::string inner = key;
  std::string outer = key;
  for (char& c : inner) c = static_cast<char>(c ^ 0x36);
  for (char& c : outer) c = static_cast<char>(c ^ 0x5c);
  return digest(outer, digest(inner, message));
}

std::string seal(const RequestState& state, BytesView secret) {
  const std::string payload = to_base64(json::to_text(state));
  return payload + '.' + to_hex(hmac_sha256(secret, payload));
}

Result<RequestState> unseal(std::string_view text, std::string_view subject, BytesView secret) {
  const auto refuse = [] { return fail(Errc::invalid_params, "requestState is not one that this server gave for this call"); };
  const std::size_t dot = text.rfind('.');
  if (dot == std::string_view::npos) return refuse();
  const std::string_view payload = text.substr(0, dot);
  if (!equal_in_constant_time(text.substr(dot + 1), to_hex(hmac_sha256(secret, payload)))) return refuse();
  const auto bytes = from_base64(payload);
  if (!bytes) return refuse();
  auto state = json::from_text<RequestState>(*bytes);
  if (!state || state->subject != subject) return refuse();
  return state;
}

}  // namespace parlance::mcp
