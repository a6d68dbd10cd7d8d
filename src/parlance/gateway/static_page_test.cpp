// SPDX-License-Identifier: Apache-2.0
#include "parlance/gateway/static_page.h"

#include <array>
#include <cstdint>

#include <gtest/gtest.h>

namespace parlance::gateway {
namespace {

constexpr std::array<EmbeddedFile, 3> files{{{.path = "index.html", .identity = "<p>page</p>", .gzip = "zipped page"},
                                             {.path = "assets/app-1a2b.js", .identity = "let x;", .gzip = "zipped script"},
                                             {.path = "assets/plain-3c.css", .identity = "p {}", .gzip = {}}}};

HttpReply get(StaticPage& page, std::string path, std::vector<HttpHeader> headers = {}) {
  return page.answer({.method = "GET", .path = std::move(path), .headers = std::move(headers)});
}

std::string header(const HttpReply& reply, std::string_view name) {
  const std::string* value = find_header(reply.headers, name);
  return value != nullptr ? *value : "(none)";
}

TEST(StaticPage, ServesThePageAtTheRoot) {
  StaticPage page(files);
  const HttpReply reply = get(page, "/");
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.static_body, "<p>page</p>");
  EXPECT_EQ(header(reply, "Content-Type"), "text/html; charset=utf-8");
  EXPECT_EQ(header(reply, "Cache-Control"), "no-cache");
  EXPECT_EQ(header(reply, "Content-Encoding"), "(none)");
}

TEST(StaticPage, FilesNamedByTheirContentAreCachedForever) {
  StaticPage page(files);
  const HttpReply reply = get(page, "/assets/app-1a2b.js");
  EXPECT_EQ(header(reply, "Cache-Control"), "public, max-age=31536000, immutable");
  EXPECT_EQ(header(reply, "Content-Type"), "text/javascript; charset=utf-8");
}

TEST(StaticPage, CompressesForClientsWithSupport) {
  StaticPage page(files);
  const HttpReply zipped = get(page, "/", {{"Accept-Encoding", "br, gzip;q=0.5"}});
  EXPECT_EQ(zipped.static_body, "zipped page");
  EXPECT_EQ(header(zipped, "Content-Encoding"), "gzip");
  EXPECT_EQ(header(zipped, "Vary"), "Accept-Encoding");
  EXPECT_EQ(get(page, "/", {{"Accept-Encoding", "gzip;q=0, br"}}).static_body, "<p>page</p>");
  EXPECT_EQ(header(get(page, "/assets/plain-3c.css", {{"Accept-Encoding", "gzip"}}), "Content-Encoding"), "(none)");
}

TEST(StaticPage, RecognisesClientsWithGzip) {
  for (const auto& [value, takes] : std::initializer_list<std::pair<std::string, bool>>{{"", false},
                                                                                        {"gzip", true},
                                                                                        {"GZIP", true},
                                                                                        {"x-gzip", true},
                                                                                        {"br", false},
                                                                                        {"*", true},
                                                                                        {"*;q=0", false},
                                                                                        {"gzip;q=0.0", false},
                                                                                        {"gzip;q=0, *", false},
                                                                                        {"identity, gzip ; q=1", true},
                                                                                        {"deflate,gzip", true}})
    EXPECT_EQ(accepts_gzip({.headers = {{"Accept-Encoding", value}}}), takes) << value;
  EXPECT_FALSE(accepts_gzip({}));
}

TEST(StaticPage, AnswersAKnownVersionWithoutABody) {
  StaticPage page(files);
  const std::string tag = header(get(page, "/"), "ETag");
  const std::string zipped_tag = header(get(page, "/", {{"Accept-Encoding", "gzip"}}), "ETag");
  EXPECT_NE(tag, zipped_tag);
  const HttpReply again = get(page, "/", {{"If-None-Match", "\"other\", W/" + tag}});
  EXPECT_EQ(again.status, 304);
  EXPECT_EQ(again.static_body.data(), nullptr);
  EXPECT_EQ(header(again, "ETag"), tag);
  EXPECT_EQ(header(again, "Content-Type"), header(get(page, "/"), "Content-Type"));
  EXPECT_EQ(get(page, "/", {{"If-None-Match", "*"}}).status, 304);
  EXPECT_EQ(get(page, "/", {{"If-None-Match", zipped_tag}}).status, 200);
}

TEST(StaticPage, AMissingFileIsNotFound) {
  StaticPage page(files);
  for (const char* path : {"/nothing", "/assets/", "/assets/../index.html", "/../etc/passwd", "//index.html"}) {
    const HttpReply reply = get(page, path);
    EXPECT_EQ(reply.status, 404) << path;
    EXPECT_NE(reply.body.find("\"not_found\""), std::string::npos);
  }
}

TEST(StaticPage, ExplainsHowToBuildAMissingPage) {
  StaticPage page{std::span<const EmbeddedFile>{}};
  EXPECT_FALSE(page.is_built());
  const HttpReply reply = get(page, "/");
  EXPECT_EQ(reply.status, 200);
  EXPECT_NE(reply.static_body.find("npm run build"), std::string_view::npos);
  EXPECT_EQ(get(page, "/assets/app-1a2b.js").status, 404);
}

// The page that this program was built with is whole: whatever it refers to is there, and both forms are of the same bytes.
// (Not compared with apps/web/dist, which may have been built again since.)
TEST(StaticPage, TheProgramCarriesAWholePage) {
  StaticPage page;
  if (!page.is_built()) GTEST_SKIP() << "built without a page";
  const std::string index(get(page, "/").static_body);
  std::size_t referred = 0;
  for (std::size_t at = index.find("\"./assets/"); at != std::string::npos; at = index.find("\"./assets/", at + 1)) {
    const std::string path = index.substr(at + 2, index.find('"', at + 1) - at - 2);
    EXPECT_EQ(get(page, path).status, 200) << path;
    ++referred;
  }
  EXPECT_GE(referred, 2U) << "a script and a style sheet";
  for (const EmbeddedFile& file : embedded_page()) {
    if (file.gzip.empty()) continue;
    ASSERT_GT(file.gzip.size(), 18U) << file.path;
    EXPECT_TRUE(file.gzip.starts_with("\x1f\x8b")) << file.path;
    std::uint32_t unpacked = 0;  // RFC 1952: the last four bytes say how long the content is
    for (std::size_t i = 0; i < 4; ++i)
      unpacked |= std::uint32_t{static_cast<unsigned char>(file.gzip[file.gzip.size() - 4 + i])} << (8 * i);
    EXPECT_EQ(unpacked, file.identity.size()) << file.path;
  }
}

}  // namespace
}  // namespace parlance::gateway
