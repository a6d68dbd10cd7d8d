// SPDX-License-Identifier: Apache-2.0
// A changed file on a card. Comparing is fetched with the first one; should that fail, the file is shown as it will be: nobody decides
// about what cannot be seen.

import type { Diff } from '../../protocol';
import { Part } from '../../part';
import { t } from '../../strings';
import { visibleLine } from '../../visible';
import { Visible } from '../visible';
import { WhenHere } from '../when_here';

const comparing = new Part(() => import('./diff_view'));

export function DiffBox({ diff, limit }: { diff: Diff; limit: number }) {
  return (
    <WhenHere
      part={comparing}
      draw={({ DiffView }) => <DiffView diff={diff} limit={limit} />}
      otherwise={<Uncompared diff={diff} />}
    />
  );
}

export function DiffCounts({ diff }: { diff: Diff }) {
  return (
    <WhenHere
      part={comparing}
      draw={({ DiffCounts: Counts }) => <Counts diff={diff} />}
      meanwhile={<></>}
      otherwise={<></>}
    />
  );
}

function Uncompared({ diff }: { diff: Diff }) {
  return (
    <div class="diff-box">
      <p class="note bad" role="alert">
        {diff.after === undefined ? t.diff_deletes : t.diff_failed}{' '}
        <button type="button" class="small" onClick={() => comparing.load()}>
          {t.retry}
        </button>
      </p>
      <pre class="detail" tabIndex={0} role="region" aria-label={t.diff_of(visibleLine(diff.path))}>
        <Visible text={diff.after ?? diff.before ?? ''} />
      </pre>
    </div>
  );
}
