// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/config/embed_address.h"

#include <csignal>
#include <fstream>
#include <iterator>
#include <unistd.h>

#include "apps/parlance/supervise/ready.h"
#include "parlance/base/log.h"
#include "parlance/base/private_folder.h"
#include "parlance/codec/json/value.h"

namespace parlance::app {
namespace {

std::string path_in(const Settings& settings) { return state_folder(settings) + "/embed.json"; }

json::Value read_published(const std::string& path) {
  std::ifstream file(path);
  return json::parse_or_null(std::string(std::istreambuf_iterator<char>(file), {}));
}

// A killed process leaves its file, and another program may use the port now.
bool lives(const json::Value& published) {
  const auto pid = static_cast<pid_t>(published.integer_or("pid", 0));
  return pid > 0 && ::kill(pid, 0) == 0;
}

}  // namespace

PublishedEmbedAddress::PublishedEmbedAddress(const Settings& settings, const std::string& url) : path_(path_in(settings)) {
  // The state folder may not exist yet.
  (void)make_private_folders(state_folder(settings));
  json::Object address;
  address.set("url", url);
  address.set("pid", static_cast<std::int64_t>(::getpid()));
  if (const auto written = write_ready_file(path_, json::to_text(json::Value(std::move(address))) + "\n"); !written)
    log(LogLevel::info, "the address of the embedding service could not be published to the gateway",
        {{"why", written.error().message}});
}

PublishedEmbedAddress::~PublishedEmbedAddress() {
  if (read_published(path_).integer_or("pid", 0) == ::getpid()) ::unlink(path_.c_str());
}

Result<std::string> embed_address(const Settings& settings) {
  const json::Value published = read_published(path_in(settings));
  if (lives(published)) return std::string(published.text_or("url", ""));
  if (settings["embed-listen"].origin != default_origin) return "http://" + settings.text("embed-listen") + "/";
  return fail(Errc::disconnected,
              "no embedding service runs with this gateway: parlance up starts one, or parlance embed with the same --state");
}

}  // namespace parlance::app
