// SPDX-License-Identifier: Apache-2.0
// The colours that VS Code gives to a webview in four of its themes, for the colours used by the page's style sheet. Taken from the themes,
// and otherwise from VS Code's defaults. Missing colours here are missing there.

import { readFileSync } from 'node:fs';

const rest = {
  'diffEditor-insertedTextBackground': '#9ccc2c33',
  'diffEditor-removedTextBackground': '#ff000033',
  'diffEditor-insertedLineBackground': '#9bb95533',
  'diffEditor-removedLineBackground': '#ff000033',
};

export const themes = {
  'Dark Modern': {
    kind: 'vscode-dark',
    colours: {
      ...rest,
      foreground: '#CCCCCC',
      descriptionForeground: '#9D9D9D',
      disabledForeground: '#CCCCCC80',
      'editor-background': '#1F1F1F',
      'sideBar-background': '#181818',
      'editorWidget-background': '#202020',
      'widget-border': '#313131',
      'input-border': '#3C3C3C',
      'textLink-foreground': '#4daafc',
      'button-background': '#0078D4',
      'button-foreground': '#FFFFFF',
      'button-border': '#FFFFFF12',
      'button-hoverBackground': '#026EC1',
    },
  },
  'Light Modern': {
    kind: 'vscode-light',
    colours: {
      ...rest,
      foreground: '#3B3B3B',
      descriptionForeground: '#3B3B3B',
      disabledForeground: '#61616180',
      'editor-background': '#FFFFFF',
      'sideBar-background': '#F8F8F8',
      'editorWidget-background': '#F8F8F8',
      'widget-border': '#E5E5E5',
      'input-border': '#CECECE',
      'textLink-foreground': '#005FB8',
      'button-background': '#005FB8',
      'button-foreground': '#FFFFFF',
      'button-border': '#0000001a',
      'button-hoverBackground': '#0258A8',
    },
  },
  'Dark High Contrast': {
    kind: 'vscode-high-contrast',
    colours: {
      foreground: '#FFFFFF',
      contrastBorder: '#6FC3DF',
      descriptionForeground: '#FFFFFFB3',
      disabledForeground: '#A5A5A5',
      'editor-background': '#000000',
      'sideBar-background': '#000000',
      'editorWidget-background': '#0C141F',
      'widget-border': '#6FC3DF',
      'input-border': '#6FC3DF',
      'textLink-foreground': '#21A6FF',
      'button-foreground': '#FFFFFF',
      'button-border': '#6FC3DF',
    },
  },
  'Light High Contrast': {
    kind: 'vscode-high-contrast vscode-high-contrast-light',
    colours: {
      foreground: '#292929',
      contrastBorder: '#0F4A85',
      descriptionForeground: '#292929B3',
      disabledForeground: '#7F7F7F',
      'editor-background': '#FFFFFF',
      'sideBar-background': '#FFFFFF',
      'editorWidget-background': '#FFFFFF',
      'widget-border': '#0F4A85',
      'input-border': '#0F4A85',
      'textLink-foreground': '#0F4A85',
      'button-background': '#0F4A85',
      'button-foreground': '#FFFFFF',
      'button-border': '#0F4A85',
      'button-hoverBackground': '#0F4A85',
    },
  },
};

const editorSheet = readFileSync(new URL('../../apps/web/src/style/editor.css', import.meta.url), 'utf8');

/** The page in these colours, set like in the extension. */
export async function dress(page, { kind, colours }) {
  const dark = /dark|contrast$/.test(kind);
  await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light', forcedColors: 'none' });
  await page.evaluate(
    ({ kind, colours, editorSheet }) => {
      document.body.className = kind;
      const root = document.documentElement.style;
      for (const name of [...root].filter((one) => one.startsWith('--vscode-'))) root.removeProperty(name);
      for (const [name, colour] of Object.entries(colours)) root.setProperty(`--vscode-${name}`, colour);
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(editorSheet);
      document.adoptedStyleSheets = [sheet];
    },
    { kind, colours, editorSheet },
  );
}
