// SPDX-License-Identifier: Apache-2.0
// The tab of a proposal, which says when the text has characters that an editor does not show.

import { basename } from 'node:path';
import { hidden_places, visible_line } from '../../../web/src/visible';
import type { Proposal } from '../bridge/editor';

export function diff_title({ path, newContent, title }: Proposal): string {
  const name = visible_line(title || `${basename(path)} (proposed)`);
  return hidden_places(newContent).length > 0 ? `⚠ hidden characters: ${name}` : name;
}
