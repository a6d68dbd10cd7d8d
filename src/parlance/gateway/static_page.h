// SPDX-License-Identifier: Apache-2.0
// The page, as it was built into this program: files with both forms that clients take, entity tags, and how long they may be kept.
// Loop thread only.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/transport/http/http_server.h"

namespace parlance::gateway {

struct EmbeddedFile {
  std::string_view path;      // "index.html", "assets/index-CMgPFT_n.js"
  std::string_view identity;  // the bytes, which live as long as the program
  std::string_view gzip;      // the same compressed; empty when there was no gzip at build time
};

// What cmake/embed_page.cmake found in apps/web/dist; empty when the page had not been built then.
std::span<const EmbeddedFile> embedded_page();

class StaticPage {
 public:
  explicit StaticPage(std::span<const EmbeddedFile> files = embedded_page());

  bool is_built() const { return !files_.empty(); }
  // "/" is index.html. 304 when the client has it, 404 when there is no such file. Without a page, "/" says how to build it.
  HttpReply answer(const ServerRequest& request);

 private:
  struct File {
    EmbeddedFile content;
    std::string tag{};  // made at the first request
  };
  File* find(std::string_view path);
  std::vector<File> files_;
};

// The client takes gzip: named, or "*", and not with q=0.
bool accepts_gzip(const ServerRequest& request);

}  // namespace parlance::gateway
