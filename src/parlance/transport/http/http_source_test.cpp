// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/http/http_source.h"

#include <gtest/gtest.h>

namespace parlance {
namespace {

// Names that look like this machine and are not, or that two readers would understand differently.
constexpr const char* hostile_authorities[]{"",
                                            " ",
                                            ":",
                                            ":80",
                                            "localhost:",
                                            "localhost:x",
                                            "localhost:80x",
                                            "localhost:+80",
                                            "localhost:-1",
                                            "localhost:65536",
                                            "localhost:80:80",
                                            "localhost ",
                                            " localhost",
                                            "localhost\t",
                                            "local host",
                                            "user@localhost",
                                            "localhost:x@evil.example",
                                            "localhost@evil.example",
                                            "[::1]evil",
                                            "[::1]evil:80",
                                            "[::1",
                                            "::1]",
                                            "[]",
                                            "[localhost]",
                                            "[::1]:",
                                            "[::1]:x",
                                            "[::1%lo]",
                                            "[127.0.0.1]",
                                            "::1",
                                            "::1:80",
                                            "localhost/",
                                            "localhost/evil",
                                            "localhost?x",
                                            "localhost#x",
                                            "localhost\\evil",
                                            "evil.example,localhost",
                                            "localhost;evil",
                                            "loc%61lhost",
                                            "localhost\r\nx",
                                            R"(löcalhost)",
                                            "127.0.0.1,evil.example"};

constexpr const char* foreign_names[]{"evil.example",
                                      "127.evil.example",
                                      "127.0.0.1.evil.example",
                                      "localhost.evil.example",
                                      "localhost.",
                                      "127.0.0.1.",
                                      "127.1",
                                      "2130706433",
                                      "0x7f.0.0.1",
                                      "0177.0.0.1",
                                      "127.0.0.256",
                                      "128.0.0.1",
                                      "0.0.0.0",
                                      "[::]",
                                      "[::2]",
                                      "[::ffff:10.0.0.1]",
                                      "localhosts",
                                      "xlocalhost"};

constexpr const char* hostile_origins[]{"null",
                                        "",
                                        "localhost",
                                        "//localhost",
                                        "://localhost",
                                        "evil://localhost",
                                        "file://localhost",
                                        "javascript://localhost",
                                        "ws://localhost",
                                        "http:localhost",
                                        "http:/localhost",
                                        "http//localhost",
                                        "http:///localhost",
                                        "http://localhost/",
                                        "http://localhost:x@evil.example",
                                        "http://localhost@evil.example",
                                        "http://[::1]evil",
                                        "http://[::1]@evil.example",
                                        "http://localhost:80,http://evil.example",
                                        "http://localhost http://evil.example",
                                        " http://localhost",
                                        "http://localhost ",
                                        "http://evil.example#://localhost",
                                        "http://localhost?://evil",
                                        "chrome-extension://localhost"};

TEST(HttpSource, NamesThatAreNoneAreRefused) {
  for (const char* text : hostile_authorities) EXPECT_FALSE(parse_authority(text)) << '"' << text << '"';
  EXPECT_FALSE(parse_authority(std::string_view("localhost\0evil", 14)));
  EXPECT_FALSE(parse_authority(std::string_view("[::1\0evil]", 10)));
}

TEST(HttpSource, AForeignNameIsNotThisMachine) {
  for (const char* text : foreign_names) {
    const auto at = parse_authority(text);
    EXPECT_TRUE(!at || !is_loopback_name(at->name)) << text;
  }
}

TEST(HttpSource, OriginsThatNoBrowserSendsAreRefused) {
  for (const char* text : hostile_origins) EXPECT_FALSE(parse_origin(text)) << '"' << text << '"';
}

TEST(HttpSource, FriendsAreUnderstood) {
  for (const char* text :
       {"localhost", "LOCALHOST:1", "127.0.0.1:55003", "127.255.0.1", "[::1]", "[::1]:65535", "[0:0:0:0:0:0:0:1]:0"}) {
    const auto at = parse_authority(text);
    ASSERT_TRUE(at) << text;
    EXPECT_TRUE(is_loopback_name(at->name)) << text;
    EXPECT_TRUE(parse_origin("http://" + std::string(text))) << text;
    EXPECT_TRUE(parse_origin("HTTPS://" + std::string(text))) << text;
  }
  EXPECT_EQ(parse_authority("[::1]:80")->name, "::1");
  EXPECT_EQ(parse_authority("my_box-1.lan:80")->port, "80");
}

TEST(HttpSource, AnAbsentPortIsThatOfTheScheme) {
  const auto same = [](std::string_view origin, std::string_view host) {
    return same_server(*parse_origin(origin), *parse_authority(host));
  };
  EXPECT_TRUE(same("http://a", "A:80"));
  EXPECT_TRUE(same("http://a:80", "a"));
  EXPECT_TRUE(same("https://a", "a:443"));
  EXPECT_TRUE(same("https://a", "a"));
  EXPECT_FALSE(same("https://a:80", "a"));
  EXPECT_FALSE(same("http://a:81", "a:80"));
  EXPECT_FALSE(same("http://b", "a"));
}

TEST(HttpSource, ATypeIsWholeOrAnother) {
  for (const char* text : {"application/json", "Application/JSON", "application/json;charset=utf-8",
                           "application/json ; charset=\"utf-8\"", "application/json;", " application/json"})
    EXPECT_TRUE(is_media_type(text, "application/json")) << text;
  for (const char* text :
       {"", "application/jsonx", "application/json-seq", "application/json+x", "application/json,text/plain",
        "application/json text/plain", "text/plain;application/json", "text/plain; a=application/json", "application",
        "application/json; charset", "application/json; =x", "application/json; a b=c", "xapplication/json"})
    EXPECT_FALSE(is_media_type(text, "application/json")) << text;
}

TEST(HttpSource, ADuplicateHeaderCountsAsAbsent) {
  ServerRequest request;
  EXPECT_FALSE(only_header(request, "Origin"));
  request.headers = {{.name = "origin", .value = "http://a"}, {.name = "Host", .value = "a"}};
  EXPECT_EQ(only_header(request, "Origin"), "http://a");
  request.headers.push_back({.name = "ORIGIN", .value = "http://b"});
  EXPECT_FALSE(only_header(request, "Origin"));
  EXPECT_TRUE(has_header(request, "Origin"));
}

}  // namespace
}  // namespace parlance
