// The bodies of Asio's TLS, compiled once for the whole project.
#include <boost/asio/ssl/impl/src.hpp>
