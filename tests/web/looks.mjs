// SPDX-License-Identifier: Apache-2.0
// Pictures of each state of the page at four widths, light and dark, in English and Chinese, with contact sheets. Run by name.
// Usage: node tests/web/looks.mjs FOLDER [STATE…]. Also prints measurable faults: sideways scrolling, cut text, small touch targets.

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { closeBrowser, openBrowser, withPage } from './page.mjs';
import { states } from './states.mjs';
import { smallTargets } from './targets.mjs';

// Each state is reached once for each device, at its first size.
const DEVICES = [
  {
    sizes: [
      [1280, 760],
      [2560, 1200],
    ],
    settings: {},
  },
  {
    sizes: [
      [390, 760],
      [280, 640],
    ],
    settings: { hasTouch: true, isMobile: true },
  },
];
const SCHEMES = ['light', 'dark'];
const LOCALES = { en: 'en-US', zh: 'zh-CN' };
const PER_SHEET = 12;
const FADE_MS = 400; // appearing cards and resized columns need this long

const [folder, ...names] = process.argv.slice(2);
if (!folder) throw new Error('No folder for the pictures. Usage: node tests/web/looks.mjs FOLDER [STATE…]');
const to = resolve(folder);
await mkdir(to, { recursive: true });

/** Runs in the page. */
function measured() {
  const faults = [];
  const say = (fault, one) => faults.push(`${fault}: ${one.outerHTML.replace(/\s+/g, ' ').slice(0, 140)}`);
  if (document.documentElement.scrollWidth > innerWidth) faults.push('the page scrolls sideways');
  const within = document.querySelector('dialog[open]') ?? document.body;
  for (const one of within.querySelectorAll('*')) {
    const box = one.getBoundingClientRect();
    if (box.width === 0 || !one.checkVisibility({ visibilityProperty: true }) || one.closest('[inert]')) continue;
    const style = getComputedStyle(one);
    const ownText = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '');
    const hidden = box.width < 3 || box.height < 3; // text for screen readers
    if (
      ownText &&
      !hidden &&
      style.overflowX === 'hidden' &&
      style.textOverflow !== 'ellipsis' &&
      one.scrollWidth > one.clientWidth + 1
    )
      say('cut text', one);
    if (ownText && !hidden && box.right > innerWidth + 1 && !one.closest('pre, .diff, .grid')) say('out of view', one);
  }
  return faults;
}

const taken = new Map(); // sheet name → pictures
async function take({ name, prepare, reach, context }, { sizes, settings }, language) {
  const [width, height] = sizes[0];
  await withPage(
    async (page, host) => {
      await reach(page, host);
      await page.mouse.move(0, 0);
      for (const size of context ? [context.viewport] : sizes.map(([wide, high]) => ({ width: wide, height: high }))) {
        await page.setViewportSize(size);
        await page.waitForTimeout(FADE_MS);
        for (const fault of [...(await page.evaluate(measured)), ...(await page.evaluate(smallTargets))])
          console.log(`${name} ${size.width} ${language}: ${fault}`);
        for (const colorScheme of SCHEMES) {
          await page.emulateMedia({ colorScheme });
          const file = `${name}_${size.width}_${colorScheme}_${language}.png`;
          await writeFile(join(to, file), await page.screenshot({ scale: 'css' }));
          const sheet = `sheet_${size.width}_${language}`;
          taken.set(sheet, [...(taken.get(sheet) ?? []), file]);
        }
      }
    },
    {
      prepare,
      strict: false,
      context: { viewport: { width, height }, ...settings, ...context, locale: LOCALES[language] },
    },
  );
}

async function contactSheet(name, files) {
  const page = await (await openBrowser()).newPage({ viewport: { width: 1600, height: 800 } });
  const figures = await Promise.all(
    files.map(
      async (file) =>
        `<figure><img src="data:image/png;base64,${(await readFile(join(to, file))).toString('base64')}"><figcaption>${file}</figcaption></figure>`,
    ),
  );
  const column = Number(name.split('_')[1]) < 720 ? 240 : 520;
  await page.setContent(
    `<style>body{display:flex;flex-wrap:wrap;gap:8px;font:11px sans-serif}figure{margin:0}img{width:${column}px;border:1px solid #888}</style>${figures.join('')}`,
  );
  await writeFile(join(to, `${name}.png`), await page.screenshot({ fullPage: true }));
  await page.close();
}

let failed = 0;
for (const state of states.filter((one) => names.length === 0 || names.includes(one.name)))
  for (const language of Object.keys(LOCALES))
    for (const device of state.context ? [DEVICES[1]] : DEVICES)
      await take(state, device, language).catch((error) => {
        ++failed;
        console.log(`${state.name} ${device.sizes[0][0]} ${language} was not reached: ${error.message.split('\n')[0]}`);
      });
for (const [name, files] of taken)
  for (let at = 0; at < files.length; at += PER_SHEET)
    await contactSheet(`${name}_${at / PER_SHEET}`, files.slice(at, at + PER_SHEET));
await closeBrowser();
process.exitCode = failed > 0 ? 1 : 0;
