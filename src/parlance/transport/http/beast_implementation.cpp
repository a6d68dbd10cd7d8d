// SPDX-License-Identifier: Apache-2.0
// The bodies of Beast, compiled once for the whole project.
#include <boost/beast/src.hpp>
