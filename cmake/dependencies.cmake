# SPDX-License-Identifier: Apache-2.0
# What parlance stands on, as far as the wanted parts need it: PACKAGES and BUILD_PACKAGES of their folders (cmake/components.cmake).
# Versions are minimums: Debian 12's, so that newer Debian and Ubuntu build it too.

if(Threads IN_LIST parlance_wanted_packages)
  find_package(Threads REQUIRED)
endif()
if(Boost IN_LIST parlance_wanted_packages)
  find_package(Boost 1.81 REQUIRED)
  # The same definitions everywhere, or the one-definition rule breaks silently: the bodies of Asio and Beast are compiled once, in
  # async/ and transport/http/. No public header names Boost, so what is installed needs neither these nor Boost.
  add_library(parlance_net INTERFACE)
  target_include_directories(parlance_net SYSTEM INTERFACE ${Boost_INCLUDE_DIRS})
  target_compile_definitions(parlance_net INTERFACE BOOST_ASIO_SEPARATE_COMPILATION BOOST_BEAST_SEPARATE_COMPILATION
                                                    BOOST_ASIO_NO_DEPRECATED BOOST_ASIO_DISABLE_BOOST_COROUTINE)
endif()
if(OpenSSL IN_LIST parlance_wanted_packages)
  find_package(OpenSSL 3.0 REQUIRED)
endif()
if(CURL IN_LIST parlance_wanted_packages)
  find_package(CURL 7.88 REQUIRED)
endif()
if(SQLite3 IN_LIST parlance_wanted_packages)
  find_package(SQLite3 3.40 REQUIRED)
endif()
if(PostgreSQL IN_LIST parlance_wanted_packages)
  find_path(PQ_INCLUDE_DIR libpq-fe.h PATH_SUFFIXES postgresql REQUIRED) # libpq itself is loaded when it is needed
endif()
if(simdjson IN_LIST parlance_wanted_packages)
  # Its own version file takes no other minor version than the one asked for, newer ones included.
  find_package(simdjson CONFIG REQUIRED)
  if(simdjson_VERSION VERSION_LESS 3.0)
    message(FATAL_ERROR "simdjson ${simdjson_VERSION} in ${simdjson_DIR} is too old: 3.0 or newer is needed (libsimdjson-dev).")
  endif()
endif()
if(hnswlib IN_LIST parlance_wanted_packages)
  find_path(HNSWLIB_INCLUDE_DIR hnswlib/hnswlib.h REQUIRED)
endif()
if(PARLANCE_COMPONENTS STREQUAL "all")
  find_path(CLI11_INCLUDE_DIR CLI/CLI.hpp REQUIRED) # programs alone, and the next two
  find_path(EDIT_INCLUDE_DIR histedit.h REQUIRED)
  if(NOT EDIT_LIBRARY)
    find_library(EDIT_LIBRARY edit REQUIRED)
  endif()
  if(BUILD_TESTING OR NOT DEFINED BUILD_TESTING)
    find_package(GTest 1.12 REQUIRED)
  endif()
endif()
