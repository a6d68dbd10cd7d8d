// SPDX-License-Identifier: Apache-2.0
// ESLint of the TypeScript in apps/web and apps/vscode-extension, and of the scripts. `npm run lint` in a folder of apps uses it. The plugin
// comes from the npm packages of the folder that runs ESLint, because the root has no packages.

import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(join(process.cwd(), 'package.json'));
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
);
