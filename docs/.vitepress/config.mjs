// SPDX-License-Identifier: Apache-2.0
// The static site of the documentation: `scripts/site.sh` builds it into build/site. The build fails for a dead link within docs/. A link
// to another folder of the repository becomes plain text, or a link below DOCS_REPOSITORY if that variable is set.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const docs = fileURLToPath(new URL('..', import.meta.url));
const repository = process.env.DOCS_REPOSITORY ?? '';

// The pages of a folder with their first headings, as entries of the side bar.
const pages = (folder) =>
  readdirSync(path.join(docs, folder))
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .map((name) => ({ text: /^# (.*)/m.exec(readFileSync(path.join(docs, folder, name), 'utf8'))?.[1] ?? name, link: path.posix.join('/', folder, name.replace(/\.md$/, '')) }));

// The path of a link from the repository's root, or '' for links within docs/ and for addresses.
function outside(href, page) {
  if (/^([a-z]+:|#|\/)/.test(href)) return '';
  const target = path.posix.join('docs', path.posix.dirname(page), href);
  return target.startsWith('docs/') && (/\.md(#|$)/.test(target) || /\.(png|svg)$/.test(target)) ? '' : target;
}

function links_outside(markdown) {
  markdown.core.ruler.push('links_outside', (state) => {
    const page = state.env.relativePath ?? '';
    const children = state.tokens.flatMap((token) => token.children ?? []);
    for (const [index, token] of children.entries()) {
      const target = token.type === 'link_open' ? outside(token.attrGet('href') ?? '', page) : '';
      if (!target) continue;
      if (repository) token.attrSet('href', `${repository.replace(/\/$/, '')}/blob/main/${target}`);
      else for (const end of [token, children.slice(index).find((each) => each.type === 'link_close')]) Object.assign(end, { type: 'text', content: '', tag: '', nesting: 0 });
    }
  });
}

export default {
  title: 'parlance',
  description: 'Connects AI coding agents to the programs that people use them from.',
  lastUpdated: false,
  cleanUrls: false,
  rewrites: { 'README.md': 'index.md' },
  srcExclude: ['api/**', 'node_modules/**'],
  markdown: { config: links_outside },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar: [
      { text: 'Tutorials', items: pages('tutorial') },
      { text: 'How-to', items: pages('howto') },
      { text: 'Reference', items: [...pages('reference'), ...pages('')] },
      { text: 'Protocols', collapsed: true, items: pages('protocol') },
      { text: 'Decisions', collapsed: true, items: pages('decisions') },
    ],
  },
};
