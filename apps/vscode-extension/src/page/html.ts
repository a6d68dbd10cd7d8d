// SPDX-License-Identifier: Apache-2.0
// The page as a webview's document: our own script and style sheet, and nothing else. No network, no frames, no handlers in the markup.

export interface PageParts {
  script: string;
  style: string;
  source: string;
  nonce: string;
  title: string;
  language?: string;
  body?: string;
}

export const escaped = (text: string): string => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

export function pageHtml({
  script,
  style,
  source,
  nonce,
  title,
  language = 'en',
  body = '<div id="app"></div>',
}: PageParts): string {
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src ${source}; img-src ${source} blob: data:; font-src ${source}; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escaped(policy)}">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escaped(title)}</title>
<link rel="stylesheet" href="${escaped(style)}">
<script type="module" nonce="${nonce}" src="${escaped(script)}"></script>
</head>
<body>${body}</body>
</html>
`;
}
