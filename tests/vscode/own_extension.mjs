// SPDX-License-Identifier: Apache-2.0
// An extension that a page of the manual shows, as a VSIX: its blocks are its files.

import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { ZipFile } = createRequire(join(root, 'apps/vscode-extension/package.json'))('yazl');

/** The first block of a language. */
export function block(page, language) {
  const found = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(page);
  if (!found) throw new Error(`the page has no block of ${language}`);
  return found[1];
}
export const howto = (name) => readFile(join(root, 'docs/howto', name), 'utf8');

export async function packExtension(manifest, script, out) {
  const { name, version, publisher, displayName, description } = JSON.parse(manifest);
  const zip = new ZipFile();
  const add = (path, text) => zip.addBuffer(Buffer.from(text), path);
  add(
    '[Content_Types].xml',
    '<?xml version="1.0" encoding="utf-8"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension=".json" ContentType="application/json"/><Default Extension=".js" ContentType="application/javascript"/><Default Extension=".vsixmanifest" ContentType="text/xml"/></Types>',
  );
  add(
    'extension.vsixmanifest',
    `<?xml version="1.0" encoding="utf-8"?><PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011"><Metadata><Identity Language="en-US" Id="${name}" Version="${version}" Publisher="${publisher}"/><DisplayName>${displayName}</DisplayName><Description>${description}</Description></Metadata><Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation><Dependencies/><Assets><Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/></Assets></PackageManifest>`,
  );
  add('extension/package.json', manifest);
  add('extension/extension.js', script);
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(out));
  return out;
}
