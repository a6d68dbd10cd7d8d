// SPDX-License-Identifier: Apache-2.0
// Finds the file with the machine's certificate authorities. A program with its own OpenSSL knows only the folder of the
// distribution that compiled OpenSSL, and other distributions have other folders. Any thread.
#pragma once

#include <string>

namespace parlance {

// The bundle that a client loads in addition to OpenSSL's default paths. Empty if SSL_CERT_FILE or SSL_CERT_DIR is set, if
// OpenSSL's compiled-in folder exists, or if no known bundle exists. `root` is the prefix of all paths, for tests.
std::string authority_bundle(const std::string& root = "");

}  // namespace parlance
