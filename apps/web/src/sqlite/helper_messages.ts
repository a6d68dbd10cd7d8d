// SPDX-License-Identifier: Apache-2.0
// Fields of sqlite-helper's replies that the viewer reads. docs/protocol/sqlite_bridge.md lists all fields.

import type { Row } from './wire';

export interface QueryResult {
  columns: { name: string; decl_type: string | null }[];
  rows: Row[];
  truncated: boolean;
}
export interface Preview {
  id?: string;
  changes: number;
  complete: boolean;
  tables: { name: string; inserted: number; updated: number; deleted: number }[];
  missing?: string[];
}
export interface ExecuteResult {
  changes: number;
  preview?: Preview;
  result?: QueryResult;
}
export interface ErrorDetails {
  offset?: number;
  sqlite_code?: number;
}
export interface Reply {
  id: string;
  status: 'ok' | 'error';
  data?: unknown;
  code?: string;
  error?: string;
  details?: ErrorDetails;
}
