// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/http/public_address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string>

#include <gtest/gtest.h>

namespace parlance {
namespace {

bool is_public_text(const std::string& text) {
  sockaddr_in6 v6{};
  sockaddr_in v4{};
  if (::inet_pton(AF_INET, text.c_str(), &v4.sin_addr) == 1) {
    v4.sin_family = AF_INET;
    return is_public(reinterpret_cast<const sockaddr&>(v4));
  }
  EXPECT_EQ(::inet_pton(AF_INET6, text.c_str(), &v6.sin6_addr), 1) << text;
  v6.sin6_family = AF_INET6;
  return is_public(reinterpret_cast<const sockaddr&>(v6));
}

TEST(PublicAddress, ThisMachineAndItsNeighboursAreNotPublic) {
  for (const char* address : {"127.0.0.1",       "127.255.0.3",     "0.0.0.0",         "10.1.2.3",   "172.16.0.1",
                              "172.31.255.255",  "192.168.1.1",     "169.254.169.254", "100.64.0.1", "192.0.2.1",
                              "198.18.0.1",      "224.0.0.1",       "255.255.255.255", "::",         "::1",
                              "fe80::1",         "fc00::1",         "fd12::1",         "ff02::1",    "::ffff:127.0.0.1",
                              "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::1",  "2001::1",    "2001:db8::1",
                              "2001:2::1",       "2001:10::1",      "2001:1f:ffff::",  "2001:20::1", "2001:2f:ffff::",
                              "3fff::1",         "3fff:fff:ffff::"})
    EXPECT_FALSE(is_public_text(address)) << address;
}

TEST(PublicAddress, TheInternetIsPublic) {
  for (const char* address :
       {"1.1.1.1", "172.15.0.1", "172.32.0.1", "100.128.0.1", "223.255.255.254", "2606:4700::1111", "2001:4860:4860::8888",
        "::ffff:8.8.8.8", "2002:0808:0808::1", "2001:200::1", "2001:30::1", "3fff:1000::1"})
    EXPECT_TRUE(is_public_text(address)) << address;
}

TEST(PublicAddress, ANameWithoutAnAddressIsNotPublic) {
  sockaddr other{};
  other.sa_family = AF_UNIX;
  EXPECT_FALSE(is_public(other));
}

}  // namespace
}  // namespace parlance
