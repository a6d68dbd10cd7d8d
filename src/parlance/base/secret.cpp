// SPDX-License-Identifier: Apache-2.0
#include "parlance/base/secret.h"

#include <cerrno>
#include <cstdint>
#include <sys/random.h>

#include "parlance/base/base64.h"
#include "parlance/base/check.h"
#include "parlance/base/clock.h"

namespace parlance {

Bytes random_bytes(std::size_t count) {
  Bytes bytes(count, '\0');
  std::size_t done = 0;
  while (done < count) {
    const ssize_t n = ::getrandom(bytes.data() + done, count - done, 0);
    PARLANCE_CHECK(n > 0 || errno == EINTR, "randomness from the kernel");
    if (n > 0) done += static_cast<std::size_t>(n);
  }
  return bytes;
}

std::string make_token() {
  std::string token = to_base64(random_bytes(32));
  while (!token.empty() && token.back() == '=') token.pop_back();
  for (char& c : token) {
    if (c == '+') c = '-';
    if (c == '/') c = '_';
  }
  return token;
}

std::string make_id(std::string_view prefix) {
  static constexpr char alphabet[] = "0123456789abcdefghjkmnpqrstvwxyz";
  std::string id(prefix);
  auto time = static_cast<std::uint64_t>(wall_now().time_since_epoch().count());
  for (int shift = 45; shift >= 0; shift -= 5) id += alphabet[time >> shift & 31];
  for (const char c : random_bytes(10)) id += alphabet[static_cast<unsigned char>(c) & 31];
  return id;
}

bool equal_in_constant_time(std::string_view a, std::string_view b) {
  unsigned difference = a.size() == b.size() ? 0U : 1U;
  const std::string_view other = a.size() == b.size() ? b : a;
  for (std::size_t i = 0; i < a.size(); ++i)
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(other[i]);
  return difference == 0;
}

}  // namespace parlance
