// SPDX-License-Identifier: Apache-2.0
#include "parlance/gateway/static_page.h"

#include <array>

#include "parlance/base/sha256.h"
#include "parlance/base/text.h"
#include "parlance/gateway/reply.h"

namespace parlance::gateway {
namespace {

constexpr std::string_view how_to_build = R"(<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>parlance</title></head>
<body>
<h1>parlance is running</h1>
<p>This program was built without its page. To have it here:</p>
<pre>cd apps/web
npm ci
npm run build</pre>
<p>and build the program again, or do both with <code>./run --build</code> in the source folder.</p>
<p>The other addresses work as they are: <code>/health</code>, <code>/v1/chat/completions</code>, <code>/v1/models</code>,
<code>/memory/search</code>, <code>/ws/chat</code>.</p>
</body>
</html>
)";

std::string_view media_type(std::string_view path) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 11> types{{
      {".html", "text/html; charset=utf-8"},
      {".js", "text/javascript; charset=utf-8"},
      {".css", "text/css; charset=utf-8"},
      {".svg", "image/svg+xml"},
      {".png", "image/png"},
      {".ico", "image/x-icon"},
      {".woff2", "font/woff2"},
      {".ttf", "font/ttf"},
      {".json", "application/json"},
      {".webmanifest", "application/manifest+json"},
      {".txt", "text/plain; charset=utf-8"},
  }};
  for (const auto& [ending, type] : types)
    if (path.ends_with(ending)) return type;
  return "application/octet-stream";
}

// The build names files under assets/ after their content: whatever has such a name never changes.
bool is_named_by_content(std::string_view path) { return path.starts_with("assets/"); }

bool has_tag(const ServerRequest& request, std::string_view tag) {
  const std::string* list = request.header("If-None-Match");
  if (list == nullptr) return false;
  for (std::string_view candidate : split(*list, ',')) {
    candidate = trim(candidate);
    if (candidate.starts_with("W/")) candidate.remove_prefix(2);
    if (candidate == "*" || candidate == tag) return true;
  }
  return false;
}

}  // namespace

bool accepts_gzip(const ServerRequest& request) {
  bool any = false;
  bool named = false;
  bool named_refused = false;
  for (const HttpHeader& header : request.headers) {
    if (!equal_ignoring_case(header.name, "Accept-Encoding")) continue;
    for (const std::string_view item : split(header.value, ',')) {
      const auto parts = split(item, ';');
      const std::string_view coding = trim(parts[0]);
      bool refused = false;
      for (std::size_t i = 1; i < parts.size(); ++i) {
        const std::string_view parameter = trim(parts[i]);
        if (parameter.size() > 2 && equal_ignoring_case(parameter.substr(0, 2), "q=")) {
          const auto quality = parse_number<double>(parameter.substr(2));
          refused = quality && *quality <= 0;
        }
      }
      if (equal_ignoring_case(coding, "gzip") || equal_ignoring_case(coding, "x-gzip")) (refused ? named_refused : named) = true;
      if (coding == "*" && !refused) any = true;
    }
  }
  return named || (any && !named_refused);
}

StaticPage::StaticPage(std::span<const EmbeddedFile> files) {
  for (const EmbeddedFile& file : files) files_.push_back({.content = file});
}

StaticPage::File* StaticPage::find(std::string_view path) {
  path.remove_prefix(path.starts_with('/') ? 1 : 0);
  if (path.empty()) path = "index.html";
  for (File& file : files_)
    if (file.content.path == path) return &file;
  return nullptr;
}

HttpReply StaticPage::answer(const ServerRequest& request) {
  if (files_.empty() && request.path == "/")
    return {.headers = {{.name = "Content-Type", .value = "text/html; charset=utf-8"},
                        {.name = "Cache-Control", .value = "no-cache"}},
            .static_body = how_to_build};
  File* file = find(request.path);
  if (file == nullptr) return error_reply(404, "not_found", "There is no such file.");

  const bool zipped = !file->content.gzip.empty() && accepts_gzip(request);
  if (file->tag.empty()) file->tag = sha256_hex(file->content.identity).substr(0, 32);
  // The two forms differ byte for byte, so they have different strong tags.
  const std::string tag = '"' + file->tag + (zipped ? "-gz\"" : "\"");
  HttpReply reply{
      .headers = {{.name = "ETag", .value = tag},
                  {.name = "Vary", .value = "Accept-Encoding"},
                  {.name = "Cache-Control",
                   .value = is_named_by_content(file->content.path) ? "public, max-age=31536000, immutable" : "no-cache"}}};
  // Also on a 304, whose headers replace the browser's cached headers. The page's security policy depends on the type.
  reply.headers.push_back({.name = "Content-Type", .value = std::string(media_type(file->content.path))});
  if (has_tag(request, tag)) {
    reply.status = 304;
    return reply;
  }
  if (zipped) reply.headers.push_back({.name = "Content-Encoding", .value = "gzip"});
  reply.static_body = zipped ? file->content.gzip : file->content.identity;
  return reply;
}

}  // namespace parlance::gateway
