// SPDX-License-Identifier: Apache-2.0
// The tab of a proposal, which says when the text has characters that an editor does not show.

import { basename } from 'node:path';
import { hiddenPlaces, visibleLine } from '../../../web/src/visible';
import type { Proposal } from '../bridge/editor';

export function diffTitle({ path, newContent, title }: Proposal): string {
  const name = visibleLine(title || `${basename(path)} (proposed)`);
  return hiddenPlaces(newContent).length > 0 ? `⚠ hidden characters: ${name}` : name;
}
