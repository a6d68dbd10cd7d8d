// SPDX-License-Identifier: Apache-2.0
// The texts of parts that the page loads on first use: views, settings, palette, notifications.

import type { Words } from '..';
import { language } from '../language';
import { en } from './en';
import { zh } from './zh';

export type ViewWords = Words<typeof en>;

/** In the language that is spoken now. */
export const words = (): ViewWords => (language === 'zh' ? zh : en);
