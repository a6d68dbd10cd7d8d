// SPDX-License-Identifier: Apache-2.0
// Who did something with a conversation, and what, in the language of the page. Pure.
import type { Act } from '../../protocol';
import { t } from '../../strings';

export const byWhom = (name: string, what: string): string => (name ? t.option_changed(name, what) : what);
export const actLine = (act: Act, text: string): string => t.act(act.what, act.value ?? '', act.by ?? '', text);
