// SPDX-License-Identifier: Apache-2.0
import { defineConfig } from 'vite';

// Of marked only what reads: what it would make of that as HTML (its parser, its renderers, and an instance of all of it that it makes when it
// is loaded, so that no bundler dares to leave them out) is a third of it, and never used (src/markdown/render.ts).
const onlyTheLexer = {
  name: 'only-the-lexer',
  transform(code, id) {
    if (!id.endsWith('/marked/lib/marked.esm.js')) return null;
    const rest = code.indexOf('\n// src/Renderer.ts');
    if (rest < 0 || !code.slice(0, rest).includes('var _Lexer ='))
      throw new Error('marked is laid out differently now: see onlyTheLexer in vite.config.js');
    return { code: `${code.slice(0, rest)}\nexport { _Lexer as Lexer };\n`, map: null };
  },
};

// With one style sheet nothing is to be preloaded: what Vite would wrap around every import does nothing here.
const plainImports = {
  name: 'plain-imports',
  enforce: 'pre',
  load: (id) => (id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load();' : null),
};

// Small parts that a person opens one after the other come in one script: a dozen of a kilobyte each pack a third worse.
const OPENED =
  /\/src\/(exported|memories|push\/push|components\/(desk\/(palette|key_list|settings_dialog)|transcript\/(find_bar|found)|ask\/question_form|push\/browsers|usage\/(usage_view|limits_form|spent)|doctor\/(doctor_view|findings)|team\/whose|editor_places|memory_view|token_page))\.tsx?$/;

// One style sheet, one script to begin with and scripts that come when they are needed (src/part.ts): the C++ build embeds the folder and
// serves it under a strict policy, so nothing may be inlined into the page.
export default defineConfig({
  base: './',
  plugins: [onlyTheLexer, plainImports],
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact', legalComments: 'none' },
  build: {
    target: 'es2022',
    minify: 'terser',
    terserOptions: { module: true, compress: { passes: 2 } }, // no pure_getters: reading a signal subscribes to it
    outDir: 'dist',
    rollupOptions: {
      output: { onlyExplicitManualChunks: true, manualChunks: (id) => (OPENED.test(id) ? 'opened' : null) },
    },
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    modulePreload: false,
    reportCompressedSize: false,
  },
  server: { fs: { allow: ['../..'] } }, // a test reads docs/policy.md
  test: { include: ['src/**/*_test.ts'], environment: 'node', css: true },
});
