// SPDX-License-Identifier: Apache-2.0
// Checks that words are readable on their background, and controls visible: WCAG AA.

import { pixelsOf } from './small_png.mjs';

/** The visible colours of elements. Colours and whole parts may be transparent. Runs in the page. */
function coloursOfPage() {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const seen = new Map();
  const rgba = (colour) => {
    if (!seen.has(colour)) {
      context.clearRect(0, 0, 1, 1);
      context.fillStyle = colour;
      context.fillRect(0, 0, 1, 1);
      seen.set(colour, [...context.getImageData(0, 0, 1, 1).data]);
    }
    return seen.get(colour);
  };
  const mixed = (top, below, share) => top.map((one, i) => one * share + below[i] * (1 - share));
  const over = (colour, below, share = 1) => {
    const [r, g, b, a] = rgba(colour);
    return mixed([r, g, b], below, (share * a) / 255);
  };
  /** The layers behind an element, and the visible layers of its surroundings, the nearest last. */
  const grounds = new Map();
  const ground = (element) => {
    if (!element) return { colour: [255, 255, 255], faded: [] };
    if (!grounds.has(element)) {
      const { colour, faded } = ground(element.parentElement);
      const { backgroundColor, opacity } = getComputedStyle(element);
      grounds.set(element, {
        colour: over(backgroundColor, colour),
        faded: opacity === '1' ? faded : [...faded, { below: colour, share: Number(opacity) }],
      });
    }
    return grounds.get(element);
  };
  /** The visible colour of `inner` painted in an element. */
  const pixel = (element, inner = (below) => below) => {
    const { colour, faded } = ground(element);
    return faded.reduceRight((top, { below, share }) => mixed(top, below, share), inner(colour));
  };
  const unseen = (element) => ground(element).faded.some(({ share }) => share === 0);
  return { rgba, over, pixel, unseen };
}

/** Runs in the page. */
function faultsOfPage({ rgba, over, pixel, unseen }) {
  const light = (colour) =>
    colour
      .map((c) => (c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4))
      .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const between = (one, other) => {
    const [a, b] = [light(one), light(other)];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  };
  const name = (element) =>
    `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''} "${(element.textContent || element.getAttribute('aria-label') || '').trim().slice(0, 30)}"`;
  const hidden = (element) =>
    element.closest('.spoken, option, svg, datalist') ||
    element.closest('[aria-disabled=true], :disabled') ||
    element.getClientRects().length === 0 ||
    unseen(element);
  const faults = [];
  const words = (what, element, { color, opacity }) => {
    const contrast = between(
      pixel(element, (below) => over(color, below, Number(opacity))),
      pixel(element),
    );
    if (contrast < 4.5) faults.push(`${what} ${name(element)} ${contrast.toFixed(2)}`);
  };
  for (const element of document.querySelectorAll('#app *')) {
    if (hidden(element)) continue;
    const style = getComputedStyle(element);
    if ([...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== ''))
      words('text', element, { color: style.color, opacity: 1 });
    if (element.matches('input:placeholder-shown, textarea:placeholder-shown') && element.placeholder)
      words('placeholder', element, getComputedStyle(element, '::placeholder'));
    const control = element.matches('button, select, textarea, input:not([type=radio], [type=checkbox])');
    if (!control && !element.matches('.dot')) continue;
    const marks = [
      style.backgroundColor,
      ...(parseFloat(style.borderTopWidth) > 0 ? [style.borderTopColor] : []),
    ].filter((colour) => rgba(colour)[3] > 0);
    if (marks.length === 0 || element.matches('.veil, .composer textarea, .card > details summary')) continue; // words or a frame
    const around = pixel(element.parentElement);
    const contrast = Math.max(
      ...marks.map((colour) =>
        between(
          pixel(element.parentElement, (below) => over(colour, below, Number(style.opacity))),
          around,
        ),
      ),
    );
    if (contrast < 3) faults.push(`border ${name(element)} ${contrast.toFixed(2)}`);
  }
  return faults;
}

/**
 * Words, including placeholders, with a contrast to the background below 4.5, and borders and marks of controls below 3. An expression
 * for `page.evaluate`.
 */
export const contrastFaults = `(${faultsOfPage})((${coloursOfPage})())`;

const lightness = (colour) =>
  colour
    .map((c) => (c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);

/** Radio buttons and check boxes, drawn by the browser, without a difference of 3 between any part and the corner of their picture. */
export async function choiceFaults(page) {
  const faults = [];
  for (const one of await page.locator('#app :is(input[type=radio], input[type=checkbox])').all()) {
    if (
      !(await one.isVisible()) ||
      (await one.evaluate(
        (box) => getComputedStyle(box).opacity === '0' || box.disabled || box.getBoundingClientRect().width < 8,
      ))
    )
      continue;
    await one.scrollIntoViewIfNeeded();
    const { channels, rows } = pixelsOf(await one.screenshot());
    const around = lightness([...rows.subarray(0, 3)]);
    let most = 1;
    for (let at = 0; at < rows.length; at += channels) {
      const here = lightness([...rows.subarray(at, at + 3)]);
      most = Math.max(most, (Math.max(here, around) + 0.05) / (Math.min(here, around) + 0.05));
    }
    if (most < 3)
      faults.push(
        `${await one.getAttribute('type')} ${await one.evaluate((box) => box.closest('label')?.textContent.trim().slice(0, 30) ?? '')} ${most.toFixed(2)}`,
      );
  }
  return faults;
}
