// SPDX-License-Identifier: Apache-2.0
// The page's style sheet for an editor, whose theme is a class of the body and no preference of the machine.

const DARK = 'body:is(.vscode-dark,.vscode-high-contrast:not(.vscode-high-contrast-light))';

/** Colours for dark machines become colours for dark themes. Throws when the style sheet is not as it is expected. */
export function editorStyle(css) {
  let found = 0;
  const changed = css.replace(
    /@media\s*\(prefers-color-scheme:\s*dark\)\s*\{\s*:root\s*\{([^{}]*)\}\s*\}/g,
    (_, colours) => {
      ++found;
      return `${DARK}{color-scheme:dark;${colours}}`;
    },
  );
  if (found !== 1 || changed.includes('prefers-color-scheme'))
    throw new Error(
      `the style sheet has ${found} blocks ":root" for dark machines, and should have one and no other rule for them`,
    );
  return `${changed}\nbody{color-scheme:light}\n${DARK}{color-scheme:dark}\n`;
}
