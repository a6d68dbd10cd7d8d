// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/http/curl_library.h"

#include <dlfcn.h>
#include <string>

// curl.h turns some functions into checking macros for C compilers.
#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt

namespace parlance {
namespace {

Result<CurlLibrary> load() {
  void* library = ::dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    return fail(Errc::failed, std::string("HTTP requests need libcurl: ") + ::dlerror() +
                                  ". Install it: `apt-get install libcurl4` (Debian, Ubuntu), `dnf install libcurl` (Fedora)");
  CurlLibrary curl{};
  std::string missing;
  const auto find = [&]<class Function>(Function& function, const char* name) {
    function = reinterpret_cast<Function>(::dlsym(library, name));
    if (function == nullptr) missing = name;
  };
#define PARLANCE_CURL(name) find(curl.name, "curl_" #name)
  PARLANCE_CURL(global_init);
  PARLANCE_CURL(easy_init);
  PARLANCE_CURL(easy_cleanup);
  PARLANCE_CURL(easy_setopt);
  PARLANCE_CURL(easy_pause);
  PARLANCE_CURL(easy_getinfo);
  PARLANCE_CURL(easy_strerror);
  PARLANCE_CURL(slist_append);
  PARLANCE_CURL(slist_free_all);
  PARLANCE_CURL(multi_init);
  PARLANCE_CURL(multi_cleanup);
  PARLANCE_CURL(multi_add_handle);
  PARLANCE_CURL(multi_remove_handle);
  PARLANCE_CURL(multi_setopt);
  PARLANCE_CURL(multi_assign);
  PARLANCE_CURL(multi_socket_action);
  PARLANCE_CURL(multi_info_read);
  PARLANCE_CURL(multi_strerror);
  PARLANCE_CURL(url);
  PARLANCE_CURL(url_cleanup);
  PARLANCE_CURL(url_set);
  PARLANCE_CURL(url_get);
  PARLANCE_CURL(free);
#undef PARLANCE_CURL
  if (!missing.empty()) return fail(Errc::failed, "libcurl has no curl_" + missing + ": version 7.88 or newer is needed");
  if (const CURLcode code = curl.global_init(CURL_GLOBAL_DEFAULT); code != CURLE_OK)
    return fail(Errc::failed, std::string("libcurl does not start: ") + curl.easy_strerror(code));
  return curl;
}

}  // namespace

const Result<CurlLibrary>& curl_library() {
  static const Result<CurlLibrary> loaded = load();
  return loaded;
}

}  // namespace parlance
