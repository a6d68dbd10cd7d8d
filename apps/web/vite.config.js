import { defineConfig } from 'vite';

// One style sheet, one script to begin with and scripts that come when they are needed (src/part.ts): the C++ build embeds the folder and
// serves it under a strict policy, so nothing may be inlined into the page.
export default defineConfig({
  base: './',
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact', legalComments: 'none' },
  build: {
    target: 'es2022',
    minify: 'terser',
    terserOptions: { module: true, compress: { passes: 2 } },  // no pure_getters: reading a signal subscribes to it
    outDir: 'dist',
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    modulePreload: false,
    reportCompressedSize: false,
  },
  test: { include: ['src/**/*_test.ts'], environment: 'node' },
});
