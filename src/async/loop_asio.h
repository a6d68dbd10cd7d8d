// For the .cpp files of async and transport only: the Asio side of the loop.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include "async/loop.h"

namespace parlance {

struct Loop::Implementation {
  boost::asio::io_context io{1};  // hint 1: one thread runs it, others may still post
  boost::asio::steady_timer timer{io};
};

inline boost::asio::io_context& io_of(Loop& loop) { return loop.implementation().io; }

}  // namespace parlance
