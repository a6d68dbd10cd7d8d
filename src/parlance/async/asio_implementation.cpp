// SPDX-License-Identifier: Apache-2.0
// The bodies of Asio, compiled once for the whole project (its headers only declare them elsewhere).
#include <boost/asio/impl/src.hpp>
