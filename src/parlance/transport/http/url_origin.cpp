// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/http/url_origin.h"

#include <memory>

#include "parlance/base/text.h"

namespace parlance {

std::string presentable(std::string_view url) {
  const std::size_t scheme = url.find("://");
  std::string_view rest = url.substr(0, url.find_first_of("?#"));
  if (scheme == std::string_view::npos) return std::string(rest);
  const std::size_t begin = scheme + 3;
  const std::size_t path = rest.find('/', begin);
  const std::size_t at = rest.substr(0, path).rfind('@');
  if (at == std::string_view::npos || at < begin) return std::string(rest);
  return std::string(rest.substr(0, begin)) + std::string(rest.substr(at + 1));
}

Result<UrlOrigin> origin_of(const CurlLibrary& curl, const std::string& url) {
  const std::unique_ptr<CURLU, decltype(curl.url_cleanup)> parsed(curl.url(), curl.url_cleanup);
  if (curl.url_set(parsed.get(), CURLUPART_URL, url.c_str(), 0) != CURLUE_OK)
    return fail(Errc::invalid_request, "not a URL: " + presentable(url));
  const auto part = [&](CURLUPart what, unsigned flags) {
    char* text = nullptr;
    curl.url_get(parsed.get(), what, &text, flags);
    std::string copy = text != nullptr ? text : "";
    curl.free(text);
    return copy;
  };
  UrlOrigin origin{.scheme = part(CURLUPART_SCHEME, 0),
                   .host = to_lower(part(CURLUPART_HOST, 0)),
                   .port = part(CURLUPART_PORT, CURLU_DEFAULT_PORT)};
  if (origin.scheme != "http" && origin.scheme != "https")
    return fail(Errc::invalid_request, "not an http or https URL: " + presentable(url));
  return origin;
}

}  // namespace parlance
