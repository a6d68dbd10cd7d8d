// SPDX-License-Identifier: Apache-2.0
// libcurl, loaded at the first request. For the .cpp files of this folder only. Any thread.
//
// Measured: linking libcurl adds 28 libraries to every start: 4.9 ms in place of 1.8 ms, and 8.9 MiB resident in place of 4.5.
// Most processes (a bridge, a helper, an agent with a local model) make no request. dlopen at the first request takes 4 ms,
// once.
#pragma once

#include <curl/curl.h>

#include "parlance/base/result.h"

namespace parlance {

struct CurlLibrary {
  decltype(&::curl_global_init) global_init;
  decltype(&::curl_easy_init) easy_init;
  decltype(&::curl_easy_cleanup) easy_cleanup;
  decltype(&::curl_easy_setopt) easy_setopt;
  decltype(&::curl_easy_pause) easy_pause;
  decltype(&::curl_easy_getinfo) easy_getinfo;
  decltype(&::curl_easy_strerror) easy_strerror;
  decltype(&::curl_slist_append) slist_append;
  decltype(&::curl_slist_free_all) slist_free_all;
  decltype(&::curl_multi_init) multi_init;
  decltype(&::curl_multi_cleanup) multi_cleanup;
  decltype(&::curl_multi_add_handle) multi_add_handle;
  decltype(&::curl_multi_remove_handle) multi_remove_handle;
  decltype(&::curl_multi_setopt) multi_setopt;
  decltype(&::curl_multi_assign) multi_assign;
  decltype(&::curl_multi_socket_action) multi_socket_action;
  decltype(&::curl_multi_info_read) multi_info_read;
  decltype(&::curl_multi_strerror) multi_strerror;
  decltype(&::curl_url) url;
  decltype(&::curl_url_cleanup) url_cleanup;
  decltype(&::curl_url_set) url_set;
  decltype(&::curl_url_get) url_get;
  decltype(&::curl_free) free;
};

// Returns the same result each time. Never unloaded, because its libraries register handlers for exit.
const Result<CurlLibrary>& curl_library();

}  // namespace parlance
