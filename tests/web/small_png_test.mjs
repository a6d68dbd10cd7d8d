// SPDX-License-Identifier: Apache-2.0
// The palette of a picture keeps what colours say.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { closeBrowser, withPage } from './page.mjs';
import { smallPng } from './small_png.mjs';
import { states } from './states.mjs';

after(closeBrowser);
const approval = states.find((one) => one.name === 'approval');

test('a small picture differs from the screenshot by little anywhere', () =>
  withPage(
    async (page, host) => {
      await approval.reach(page, host);
      const whole = await page.screenshot({ scale: 'css' });
      const small = smallPng(whole);
      assert.ok(small.length < whole.length / 1.5, `${small.length} of ${whole.length} bytes`);
      // The browser itself reads both.
      const most = await page.evaluate(
        async (pictures) => {
          const [a, b] = await Promise.all(
            pictures.map(async (base64) => {
              const image = new Image();
              image.src = `data:image/png;base64,${base64}`;
              await image.decode();
              const canvas = Object.assign(document.createElement('canvas'), {
                width: image.width,
                height: image.height,
              });
              canvas.getContext('2d').drawImage(image, 0, 0);
              return canvas.getContext('2d').getImageData(0, 0, image.width, image.height).data;
            }),
          );
          let far = 0;
          for (let at = 0; at < a.length; ++at) far = Math.max(far, Math.abs(a[at] - b[at]));
          return a.length === b.length ? far : Infinity;
        },
        [whole.toString('base64'), small.toString('base64')],
      );
      assert.ok(most <= 40, `a channel differs by ${most} of 255`);
    },
    { prepare: approval.prepare },
  ));
