// SPDX-License-Identifier: Apache-2.0
// Controls below 44 px on a touch screen. The function runs in the page.

/** Descriptions of the visible controls that are too low for a thumb; empty with a mouse. */
export function smallTargets() {
  const LEAST_PX = 43.5; // 44 px after rounding
  if (!globalThis.matchMedia('(pointer: coarse)').matches) return [];
  const within = document.querySelector('dialog[open]') ?? document.body;
  const small = [];
  for (const one of within.querySelectorAll(
    'button, select, input:not([type=checkbox], [type=radio], [type=file]), textarea, summary, [role=option]',
  )) {
    const box = one.getBoundingClientRect();
    if (box.width < 3 || box.height < 3 || one.closest('[inert], .grid')) continue;
    if (!one.checkVisibility({ visibilityProperty: true })) continue;
    const area = parseFloat(getComputedStyle(one, '::after').height) || 0; // a larger area around a small mark
    if (Math.max(box.height, area) < LEAST_PX)
      small.push(
        `${Math.round(box.width)}x${Math.round(box.height)}: ${one.outerHTML.replace(/\s+/g, ' ').slice(0, 140)}`,
      );
  }
  return small;
}
