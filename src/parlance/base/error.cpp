// SPDX-License-Identifier: Apache-2.0
#include "parlance/base/error.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace parlance {

std::string_view to_string(Errc code) {
  switch (code) {
    case Errc::invalid_request: return "invalid_request";
    case Errc::invalid_params: return "invalid_params";
    case Errc::unknown_method: return "unknown_method";
    case Errc::denied: return "denied";
    case Errc::not_found: return "not_found";
    case Errc::failed: return "failed";
    case Errc::overloaded: return "overloaded";
    case Errc::disconnected: return "disconnected";
    case Errc::deadline_exceeded: return "deadline_exceeded";
    case Errc::cancelled: return "cancelled";
    case Errc::internal: return "internal";
  }
  return "internal";
}

std::optional<Errc> error_code_named(std::string_view name) {
  const auto* const found = std::ranges::find(all_error_codes, name, [](Errc code) { return to_string(code); });
  return found == all_error_codes.end() ? std::nullopt : std::optional(*found);
}

Error Error::in(std::string_view doing) const& { return Error(*this).in(doing); }

Error Error::in(std::string_view doing) && {
  std::string text(doing);
  text += ": ";
  text += message;
  message = std::move(text);
  return std::move(*this);
}

Error system_error(std::string_view doing, int errno_value) {
  Errc code = Errc::failed;
  switch (errno_value) {
    case ENOENT:
    case ENOTDIR: code = Errc::not_found; break;
    case EACCES:
    case EPERM:
    case EROFS:
    case ELOOP: code = Errc::denied; break;
    case EMFILE:
    case ENFILE:
    case ENOMEM:
    case EAGAIN:
    case ENOBUFS: code = Errc::overloaded; break;
    case EPIPE:
    case ECONNRESET:
    case ECONNREFUSED:
    case ENOTCONN:
    case ECONNABORTED: code = Errc::disconnected; break;
    case ETIMEDOUT: code = Errc::deadline_exceeded; break;
    default: break;
  }
  std::array<char, 128> text{};
  return Error{.code = code, .message = std::string(doing) + ": " + strerror_r(errno_value, text.data(), text.size())};
}

}  // namespace parlance
