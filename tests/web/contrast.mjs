// Whether words can be read on what is behind them: WCAG AA.

/** Runs in the page: words whose contrast with what is behind them is below 4.5. */
export function contrast_faults() {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgba = (colour) => {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data];
  };
  const light = ([r, g, b]) => [r, g, b].map((c) => (c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4)).reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = rgba(getComputedStyle(at).backgroundColor);
      if (colour[3] > 250) return colour;
    }
    return [255, 255, 255];
  };
  const faults = [];
  for (const element of document.querySelectorAll('#app *')) {
    const words = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== '');
    if (!words || element.closest('.spoken, option, svg') || element.closest('[aria-disabled=true]') || element.getClientRects().length === 0) continue;
    const [a, b] = [light(rgba(getComputedStyle(element).color)), light(behind(element))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < 4.5) faults.push(`${element.className || element.tagName} "${element.textContent.slice(0, 30)}" ${contrast.toFixed(2)}`);
  }
  return faults;
}
