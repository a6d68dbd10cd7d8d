// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
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
    // Of its dialects only the page's: without the code of the others, and without the questions for the dialect.
    const lexer = code
      .slice(0, rest)
      .replace(/\nvar (?:block|inline)(?:Pedantic|Breaks) = [^]*?\n};/g, '')
      .replace(/,\n +(?:pedantic|breaks): \w+(?=,|\n)/g, '')
      .replace(/this\.options\.(?:pedantic|breaks|silent)/g, 'false')
      .replaceAll('this.options.gfm', 'true');
    if (/\w(?:Pedantic|Breaks)\b/.test(lexer.replaceAll('MultipleLineBreaks', '')))
      throw new Error('marked has further dialects now: see onlyTheLexer in vite.config.js');
    return { code: `${lexer}\nexport { _Lexer as Lexer };\n`, map: null };
  },
};

// Of the highlighter only what colours a text (src/markdown/highlight.ts): without code for elements, plugins and settings.
const onlyColours = {
  name: 'only-colours',
  transform(code, id) {
    if (!id.endsWith('/highlight.js/lib/core.js')) return null;
    const used = code
      .replace(
        /(?<=Object\.assign\(hljs, \{)\n +highlight,[^}]*(?=\}\))/,
        'highlight, registerLanguage, getLanguage, registerAliases, inherit',
      )
      .replace(/\n +hljs\.(?:debugMode|safeMode|versionString) = .*/g, '')
      .replace(/\nhighlight\.newInstance = .*/, '');
    if (/addPlugin\n|SAFE_MODE = false|newInstance/.test(used))
      throw new Error('highlight.js is laid out differently now: see onlyColours in vite.config.js');
    return { code: used, map: null };
  },
};

// With one style sheet nothing is to be preloaded: what Vite would wrap around every import does nothing here.
const plainImports = {
  name: 'plain-imports',
  enforce: 'pre',
  load: (id) => (id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load();' : null),
};

/** Emits the manifest of the installed page. Its icons have names by content, as all files of `assets`. */
function appManifest() {
  const read = (name) => readFileSync(new URL(`src/app/${name}`, import.meta.url));
  const icons = new Map(); // name in the source → the emitted file
  let manifest;
  return {
    name: 'app-manifest',
    apply: 'build',
    buildStart() {
      for (const { src } of JSON.parse(read('manifest.json')).icons)
        icons.set(src, this.emitFile({ type: 'asset', name: src, source: read(src) }));
    },
    generateBundle() {
      const about = JSON.parse(read('manifest.json'));
      for (const icon of about.icons) icon.src = this.getFileName(icons.get(icon.src)).replace(/^assets\//, '');
      manifest = this.getFileName(
        this.emitFile({ type: 'asset', name: 'app.webmanifest', source: JSON.stringify(about) }),
      );
    },
    transformIndexHtml: {
      order: 'post',
      handler: () => [{ tag: 'link', attrs: { rel: 'manifest', href: `./${manifest}` }, injectTo: 'head' }],
    },
  };
}

// Small parts that a person opens one after the other come in one script: a dozen of a kilobyte each pack a third worse.
const OPENED =
  /\/src\/(exported|memories|state\/older|push\/(push|browser)|components\/(desk\/(palette|key_list|settings_dialog|choices|undo)|transcript\/(find_bar|found)|ask\/question_form|push\/browsers|usage\/(usage_view|limits_form|spent)|doctor\/(doctor_view|findings)|team\/whose|conversations\/found|editor_places|memory_view|token_page))\.tsx?$/;

// The first screen, and the views with forms and servers beside it.
const BEGIN =
  /\/src\/(strings\/views\/\w+|components\/(conversations\/(begin_form|agent_list|kept_sessions)|models\/(connect_model|typed)|mcp\/mcp_view))\.tsx?$/;

// One style sheet, one script to begin with and scripts that come when they are needed (src/part.ts): the C++ build embeds the folder and
// serves it under a strict policy, so nothing may be inlined into the page.
export default defineConfig({
  base: './',
  plugins: [onlyTheLexer, onlyColours, plainImports, appManifest()],
  // Calls of `h` pack 1 % better than the objects of the automatic runtime.
  esbuild: {
    jsx: 'transform',
    jsxFactory: 'h',
    jsxFragment: 'Fragment',
    jsxInject: "import { h, Fragment } from 'preact'",
    legalComments: 'none',
  },
  build: {
    target: 'es2022',
    minify: 'terser',
    // No pure_getters: reading a signal subscribes to it. Functions with variables stay calls, which pack better.
    terserOptions: { module: true, compress: { passes: 2, inline: 1 } },
    outDir: 'dist',
    rollupOptions: {
      output: {
        onlyExplicitManualChunks: true,
        // Parts in one script are plain objects: no code asks for their tag, or writes to them.
        freeze: false,
        generatedCode: { symbols: false },
        manualChunks: (id) => (OPENED.test(id) ? 'opened' : BEGIN.test(id) ? 'begin' : null),
      },
    },
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    modulePreload: false,
    reportCompressedSize: false,
  },
  server: { fs: { allow: ['../..'] } }, // a test reads docs/policy.md
  test: { include: ['src/**/*_test.ts'], environment: 'node', css: true },
});
