# What parlance stands on. Versions are minimums: Debian 12's, so that newer Debian and Ubuntu build it too.

find_package(Threads REQUIRED)
find_package(Boost 1.81 REQUIRED)
find_package(OpenSSL 3.0 REQUIRED)
find_package(CURL 7.88 REQUIRED)
find_package(SQLite3 3.40 REQUIRED)
# Its own version file takes no other minor version than the one asked for, newer ones included.
find_package(simdjson CONFIG REQUIRED)
if(simdjson_VERSION VERSION_LESS 3.0)
  message(FATAL_ERROR "simdjson ${simdjson_VERSION} in ${simdjson_DIR} is too old: 3.0 or newer is needed (libsimdjson-dev).")
endif()
find_path(CLI11_INCLUDE_DIR CLI/CLI.hpp REQUIRED)
find_path(HNSWLIB_INCLUDE_DIR hnswlib/hnswlib.h REQUIRED)
if(BUILD_TESTING OR NOT DEFINED BUILD_TESTING)
  find_package(GTest 1.12 REQUIRED)
endif()

# Asio, Beast and OpenSSL glue compiled once; the same definitions everywhere, or the one-definition rule breaks silently. Three
# objects: a program that speaks over pipes alone (sqlite-helper) links neither Beast nor OpenSSL.
add_library(parlance_net STATIC "${PROJECT_SOURCE_DIR}/src/transport/net_implementation.cpp"
                                "${PROJECT_SOURCE_DIR}/src/transport/net_implementation_beast.cpp"
                                "${PROJECT_SOURCE_DIR}/src/transport/net_implementation_tls.cpp")
target_include_directories(parlance_net SYSTEM PUBLIC ${Boost_INCLUDE_DIRS})
target_compile_definitions(parlance_net PUBLIC BOOST_ASIO_SEPARATE_COMPILATION BOOST_BEAST_SEPARATE_COMPILATION
                                               BOOST_ASIO_NO_DEPRECATED BOOST_ASIO_DISABLE_BOOST_COROUTINE)
target_link_libraries(parlance_net PUBLIC OpenSSL::SSL OpenSSL::Crypto Threads::Threads)
