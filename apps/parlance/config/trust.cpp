// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/config/trust.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>

#include "apps/parlance/config/config_file.h"
#include "parlance/base/sha256.h"
#include "parlance/base/utf8.h"
#include "parlance/codec/json/value.h"
#include "parlance/transport/private_file.h"

namespace parlance::app {
namespace {

constexpr std::int64_t version = 1;
constexpr std::size_t longest_record = 64 << 10;  // a path, and a sum

std::string folder_in(const std::string& state_folder) { return state_folder + "/trusted"; }
std::string record_of(const std::string& state_folder, const std::string& path) {
  return folder_in(state_folder) + "/" + sha256_hex(path) + ".json";
}

// Empty for a record that other users could have written: such a record grants no trust.
std::string read_own_record(const std::string& file) {
  const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return "";
  struct stat status{};
  std::string text;
  if (::fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == ::geteuid() && (status.st_mode & 077) == 0) {
    text.resize(longest_record);
    const ssize_t count = ::read(fd, text.data(), text.size());
    text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  }
  ::close(fd);
  return text;
}

std::optional<TrustedFile> read_record(const std::string& file) {
  const json::Value record = json::parse_or_null(read_own_record(file));
  if (record.integer_or("version", 0) != version) return std::nullopt;
  return TrustedFile{std::string(record.text_or("path", "")), std::string(record.text_or("sha256", ""))};
}

}  // namespace

std::string trusted_name(const std::string& folder) {
  std::error_code error;
  auto real = std::filesystem::canonical(folder, error);
  if (error) real = std::filesystem::absolute(folder, error).lexically_normal();
  return (real / config_file_name).string();
}

Trust trust_in(const std::string& state_folder, const TrustedFile& file) {
  const auto record = read_record(record_of(state_folder, file.path));
  if (!record || record->path != file.path) return Trust::none;
  return record->sha256 == file.sha256 ? Trust::full : Trust::changed;
}

Result<void> trust_file(const std::string& state_folder, const TrustedFile& file) {
  if (!is_valid_utf8(file.path)) return fail(Errc::invalid_params, "the folder's name is no UTF-8: give it another to trust it");
  PARLANCE_TRY_DO(keep_private_folder(folder_in(state_folder)));
  json::Object record;
  record.set("version", version);
  record.set("path", file.path);
  record.set("sha256", file.sha256);
  return write_private_file(record_of(state_folder, file.path), json::to_text(json::Value(std::move(record))) + "\n");
}

Result<bool> untrust_file(const std::string& state_folder, const std::string& path) {
  const std::string record = record_of(state_folder, path);
  if (::unlink(record.c_str()) == 0) return true;
  if (errno == ENOENT) return false;
  return fail(system_error("remove " + record, errno));
}

std::vector<TrustedFile> trusted_files(const std::string& state_folder) {
  std::vector<TrustedFile> all;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder_in(state_folder), error)) {
    auto record = read_record(entry.path().string());
    // A check of trust reads the record by its name only, so a record with another name has no effect.
    if (record && entry.path() == record_of(state_folder, record->path)) all.push_back(*std::move(record));
  }
  std::ranges::sort(all, {}, &TrustedFile::path);
  return all;
}

}  // namespace parlance::app
