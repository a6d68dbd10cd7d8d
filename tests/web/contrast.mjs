// Whether words can be read on what is behind them, and controls be seen: WCAG AA. Both run in the page.

/** Words whose contrast with what is behind them is below 4.5, and borders and marks of controls below 3. */
export function contrast_faults() {
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
  const light = ([r, g, b]) => [r, g, b].map((c) => (c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4)).reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = rgba(getComputedStyle(at).backgroundColor);
      if (colour[3] > 250) return colour;
    }
    return [255, 255, 255, 255];
  };
  const between = (one, other) => {
    const [a, b] = [light(one), light(other)];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  };
  const name = (element) => `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''} "${(element.textContent || element.getAttribute('aria-label') || '').trim().slice(0, 30)}"`;
  const hidden = (element) => element.closest('.spoken, option, svg, datalist') || element.closest('[aria-disabled=true], :disabled') || element.getClientRects().length === 0;
  const faults = [];
  for (const element of document.querySelectorAll('#app *')) {
    if (hidden(element)) continue;
    const style = getComputedStyle(element);
    if ([...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== '')) {
      const contrast = between(rgba(style.color), behind(element));
      if (contrast < 4.5) faults.push(`text ${name(element)} ${contrast.toFixed(2)}`);
    }
    const control = element.matches('button, select, textarea, input:not([type=radio], [type=checkbox])');
    if (!control && !element.matches('.dot')) continue;
    const around = behind(element.parentElement);
    const marks = [rgba(style.backgroundColor), ...(parseFloat(style.borderTopWidth) > 0 ? [rgba(style.borderTopColor)] : [])].filter((colour) => colour[3] > 250);
    if (marks.length === 0 || element.matches('.veil, .composer textarea, .card > details summary')) continue;  // words alone, or the frame around it is its border
    const contrast = Math.max(...marks.map((colour) => between(colour, around)));
    if (contrast < 3) faults.push(`border ${name(element)} ${contrast.toFixed(2)}`);
  }
  return faults;
}
