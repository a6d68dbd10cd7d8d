// SPDX-License-Identifier: Apache-2.0
// ESLint of the TypeScript in apps/web and apps/vscode-extension, and of all JavaScript. `npm run lint` in a folder of apps uses it. The
// plugins come from the npm packages of apps/web, because the root has no packages.

import { createRequire } from 'node:module';

const require = createRequire(new URL('apps/web/package.json', import.meta.url));
const js = require('@eslint/js');
const tseslint = require('typescript-eslint');

// Components are functions in PascalCase, tables of constants are in UPPER_CASE.
const names = [
  { selector: 'default', format: ['camelCase'], leadingUnderscore: 'allow' },
  { selector: 'import', format: ['camelCase', 'PascalCase'] },
  { selector: 'variable', format: ['camelCase', 'UPPER_CASE', 'PascalCase'], leadingUnderscore: 'allow' },
  { selector: 'function', format: ['camelCase', 'PascalCase'] },
  { selector: 'parameter', format: ['camelCase', 'PascalCase'], leadingUnderscore: 'allow' },
  { selector: 'parameter', format: null, filter: '^_+$' },
  { selector: 'typeLike', format: ['PascalCase'] },
  { selector: 'classProperty', modifiers: ['static', 'readonly'], format: ['camelCase', 'UPPER_CASE'] },
  // Literals carry fields of messages, HTTP headers and HTML attributes. Their types decide about the names.
  { selector: 'objectLiteralProperty', format: null },
  { selector: 'objectLiteralMethod', format: null },
];

const readonly = (known) => Object.fromEntries(known.map((name) => [name, 'readonly']));
// Node knows its own globals. Functions of browser tests run in a page, and some programs are CommonJS.
const page = `
  CSS CSSStyleSheet ClipboardEvent DataTransfer DragEvent Image IntersectionObserver KeyboardEvent MutationObserver
  NotificationEvent PushManager WebSocket document getComputedStyle getSelection innerHeight innerWidth localStorage
  location navigator requestAnimationFrame self window`
  .trim()
  .split(/\s+/);
const commonJs = ['__dirname', 'exports', 'module', 'require'];

export default tseslint.config(
  { ignores: ['**/dist/**', '**/node_modules/**', 'build/**', '.peers/**'] },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.recommended],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: process.cwd() } },
    rules: {
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/naming-convention': ['error', ...names],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/no-unnecessary-type-assertion': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      // Tests and tables assert the presence of elements; `strict` of the compiler covers the rest.
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
    },
  },
  {
    // Fields of messages, and ids of strings.
    files: ['src/protocol.ts', 'src/sqlite/{helper_messages,wire}.ts', 'src/strings/**/*.ts'],
    rules: { '@typescript-eslint/naming-convention': ['error', ...names, { selector: 'typeProperty', format: null }] },
  },
  {
    files: ['**/*.mjs', '**/*.js', 'bench/run'],
    extends: [js.configs.recommended, tseslint.configs.base],
    languageOptions: { globals: readonly([...Object.getOwnPropertyNames(globalThis), ...page, ...commonJs]) },
    rules: {
      '@typescript-eslint/naming-convention': ['error', ...names],
      'no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'none', ignoreRestSiblings: true },
      ],
    },
  },
);
