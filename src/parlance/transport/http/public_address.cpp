// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/http/public_address.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <netinet/in.h>

namespace parlance {
namespace {

struct Range {
  std::uint32_t first;
  int bits;
};

// IANA's register of IPv4 special-purpose addresses, and multicast.
constexpr std::array<Range, 15> kept_back{{
    {0x00000000, 8},   // this network
    {0x0A000000, 8},   // 10/8
    {0x64400000, 10},  // carriers' own
    {0x7F000000, 8},   // this machine
    {0xA9FE0000, 16},  // this link; clouds serve secrets there
    {0xAC100000, 12},  // 172.16/12
    {0xC0000000, 24},  // protocols
    {0xC0000200, 24},  // documents
    {0xC0586300, 24},  // 6to4 relays
    {0xC0A80000, 16},  // 192.168/16
    {0xC6120000, 15},  // measurements
    {0xC6336400, 24},  // documents
    {0xCB007100, 24},  // documents
    {0xE0000000, 4},   // multicast
    {0xF0000000, 4},   // kept for later
}};

bool is_public_v4(std::uint32_t address) {
  return std::ranges::none_of(kept_back, [&](const Range& range) { return (address ^ range.first) >> (32 - range.bits) == 0; });
}

std::uint32_t four_bytes(const unsigned char* at) {
  return std::uint32_t{at[0]} << 24 | std::uint32_t{at[1]} << 16 | std::uint32_t{at[2]} << 8 | at[3];
}

// Only 2000::/3 is given out. Within it tunnels carry an IPv4 address, and these blocks are not public (IANA's special registry).
constexpr std::array<Range, 6> kept_back_v6{{
    {0x20010000, 32},  // Teredo
    {0x20010002, 32},  // measurements; 2001:2::/48
    {0x20010010, 28},  // ORCHID
    {0x20010020, 28},  // ORCHIDv2
    {0x20010DB8, 32},  // documents
    {0x3FFF0000, 20},  // documents
}};

bool is_public_v6(const unsigned char* at) {
  constexpr std::array<unsigned char, 12> mapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  constexpr std::array<unsigned char, 12> translated{0, 0x64, 0xff, 0x9b};  // 64:ff9b::/96
  if (std::memcmp(at, mapped.data(), mapped.size()) == 0 || std::memcmp(at, translated.data(), translated.size()) == 0)
    return is_public_v4(four_bytes(at + 12));
  if ((at[0] & 0xE0) != 0x20) return false;
  const std::uint32_t head = four_bytes(at);
  if (head >> 16 == 0x2002) return is_public_v4(four_bytes(at + 2));  // 6to4
  return std::ranges::none_of(kept_back_v6, [&](const Range& block) { return (head ^ block.first) >> (32 - block.bits) == 0; });
}

}  // namespace

bool is_public(const sockaddr& address) {
  if (address.sa_family == AF_INET) {
    sockaddr_in v4{};
    std::memcpy(&v4, &address, sizeof v4);
    return is_public_v4(ntohl(v4.sin_addr.s_addr));
  }
  if (address.sa_family != AF_INET6) return false;
  sockaddr_in6 v6{};
  std::memcpy(&v6, &address, sizeof v6);
  return is_public_v6(v6.sin6_addr.s6_addr);
}

}  // namespace parlance
