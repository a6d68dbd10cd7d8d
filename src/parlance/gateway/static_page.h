// SPDX-License-Identifier: Apache-2.0
// The page built into this program: files in both encodings, entity tags, and cache times. Loop thread only.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/transport/http/http_server.h"

namespace parlance::gateway {

struct EmbeddedFile {
  std::string_view path;      // "index.html", "assets/index-CMgPFT_n.js"
  std::string_view identity;  // the bytes, valid until the program's end
  std::string_view gzip;      // compressed; empty without gzip at build time
};

// The files found by cmake/embed_page.cmake in apps/web/dist; empty if the page was not built.
std::span<const EmbeddedFile> embedded_page();

class StaticPage {
 public:
  explicit StaticPage(std::span<const EmbeddedFile> files = embedded_page());

  // False: the program was built without the page.
  bool is_built() const { return !files_.empty(); }
  // "/" is index.html. 304 for a known version, 404 for a missing file. Without a page, "/" explains how to build the page.
  HttpReply answer(const ServerRequest& request);

 private:
  struct File {
    EmbeddedFile content;
    std::string tag{};  // made at the first request
  };
  // "/" is index.html. Null: no such file.
  File* find(std::string_view path);
  std::vector<File> files_;
};

// Whether the client accepts gzip: Accept-Encoding names gzip or "*", without q=0.
bool accepts_gzip(const ServerRequest& request);

}  // namespace parlance::gateway
