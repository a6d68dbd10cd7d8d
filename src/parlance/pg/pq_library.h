// SPDX-License-Identifier: Apache-2.0
// libpq, loaded when the first connection is made: linked, it would bring Kerberos, LDAP and their libraries into every start of every
// program, and most have no such server (docs/decisions/0008-libcurl-when-needed.md, the same for libcurl). For the .cpp files of this folder only. Any thread.
#pragma once

#include <libpq-fe.h>

#include "parlance/base/result.h"

namespace parlance::pg {

// clang-format 19 finds no stable form of this list.
// clang-format off
#define PARLANCE_PQ_FUNCTIONS(X) \
  X(conninfoParse) X(conninfoFree) X(connectStartParams) X(connectPoll) X(finish) X(status) X(socket) X(errorMessage) \
  X(setErrorVerbosity) X(setnonblocking) X(setNoticeReceiver) X(serverVersion) X(transactionStatus) \
  X(enterPipelineMode) X(exitPipelineMode) X(pipelineSync) X(sendQuery) X(sendQueryParams) X(flush) X(consumeInput) \
  X(isBusy) X(getResult) X(notifies) X(freemem) X(resultStatus) X(resultErrorField) X(resultErrorMessage) X(clear) \
  X(ntuples) X(getvalue) X(getlength) X(getisnull) X(cmdStatus)
// clang-format on

struct PqLibrary {
// NOLINTBEGIN(readability-identifier-naming,bugprone-macro-parentheses): the names of libpq; a declared name has no parentheses
#define PARLANCE_PQ(name) decltype(&::PQ##name) name;
  PARLANCE_PQ_FUNCTIONS(PARLANCE_PQ)
#undef PARLANCE_PQ
  // NOLINTEND(readability-identifier-naming,bugprone-macro-parentheses)
};

// The same answer every time; never unloaded, because its libraries leave handlers behind that run at exit.
const Result<PqLibrary>& pq_library();

}  // namespace parlance::pg
