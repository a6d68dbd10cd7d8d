// SPDX-License-Identifier: Apache-2.0
// The words of the views that are fetched when they are first needed: databases, and what `parlance doctor` finds. They come with them.

import type { Words } from '..';
import { language } from '../language';
import { en } from './en';
import { zh } from './zh';

export type ViewWords = Words<typeof en>;

/** In the language that is spoken now. */
export const words = (): ViewWords => (language === 'zh' ? zh : en);
