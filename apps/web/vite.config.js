import { defineConfig } from 'vite';

// One script and one style sheet: the C++ build embeds the folder and serves it under a strict policy, so nothing may be
// inlined into the page or loaded on demand.
export default defineConfig({
  base: './',
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact', legalComments: 'none' },
  build: {
    target: 'es2022',
    outDir: 'dist',
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    modulePreload: false,
    reportCompressedSize: false,
    rollupOptions: { output: { inlineDynamicImports: true } },
  },
  test: { include: ['src/**/*_test.ts'], environment: 'node' },
});
