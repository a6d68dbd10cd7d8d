// SPDX-License-Identifier: Apache-2.0
// The outcome of a request in one sentence.

import type { Ask } from '../../protocol';
import { t } from '../../strings';
import { visibleLine } from '../../visible';
import { labelOf } from './choices';

/** The answer of a person who declines a question. */
export const DECLINE = 'decline';

/** `Ask.by` of an orphaned request after its conversation was resumed. */
const ASKED_AGAIN = 'asked again';

export function verdict(ask: Ask): string {
  if (ask.by === ASKED_AGAIN) return t.asked_again;
  if (ask.state !== 'answered') return ask.state === 'open' ? '' : t.settled[ask.state];
  const who =
    !ask.by || ask.by === 'limit'
      ? ''
      : Object.hasOwn(t.by_face, ask.by)
        ? t.by_face[ask.by as keyof typeof t.by_face]
        : t.by(ask.by);
  return t.verdict(decision(ask), who, ask.text);
}

/** Simple decisions have a single word; standing permissions and choices keep their labels. */
function decision(ask: Ask): string {
  const option = ask.options.find((offered) => offered.id === ask.chosen);
  if (ask.kind === 'limit' && option)
    return ask.by === 'limit' ? t.limit_let_go : t.chosen(visibleLine(labelOf(ask, option)));
  if (!option) return ask.chosen === DECLINE ? t.settled.declined : t.settled.answered;
  if (ask.kind === 'permission' && option.kind === 'allow_once')
    return ask.edited === undefined ? t.allowed : t.allowed_edited;
  if (ask.kind === 'permission' && option.kind === 'reject_once') return t.rejected;
  return t.chosen(visibleLine(labelOf(ask, option)));
}
