// SPDX-License-Identifier: Apache-2.0
// A small grammar of CSS for the colours of code. The library's own one names every property and value, and is a sixth of all grammars.

import type { HLJSApi, Language } from 'highlight.js';

export const css = (hljs: HLJSApi): Language => ({
  name: 'CSS',
  case_insensitive: true,
  contains: [
    hljs.C_BLOCK_COMMENT_MODE,
    hljs.APOS_STRING_MODE,
    hljs.QUOTE_STRING_MODE,
    { className: 'keyword', begin: /@[\w-]+|!important/ },
    { className: 'attribute', begin: /[\w-]+(?=\s*:(?:[^{}:;]*[;}]|\s))/ },
    { className: 'number', begin: /#[\da-f]{3,8}\b(?![^;{}]*\{)|-?(?:\d*\.)?\d+(?:%|[a-z]+)?/ },
    { className: 'selector-class', begin: /\.[a-z_-][\w-]*/ },
    { className: 'selector-id', begin: /#[\w-]+/ },
    { className: 'selector-pseudo', begin: /::?[a-z-]+/ },
    { className: 'selector-attr', begin: /\[[^\]\n]*\]/ },
    { className: 'built_in', begin: /[a-z-]+(?=\()/ },
  ],
});
