// SPDX-License-Identifier: Apache-2.0
// ESLint of the TypeScript in apps/web and apps/vscode-extension, and of the scripts. `npm run lint` in a folder of apps uses it. The plugin
// comes from the npm packages of the folder that runs ESLint, because the root has no packages.

import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(join(process.cwd(), 'package.json'));
const tseslint = require('typescript-eslint');

export default tseslint.config(
  { ignores: ['**/dist/**', '**/node_modules/**', 'build/**', '.peers/**'] },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.recommended],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: process.cwd() } },
    rules: {
      '@typescript-eslint/await-thenable': 'error',
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
);
