// SPDX-License-Identifier: Apache-2.0
// What a VSIX has beside the extension's files.

/** Names as VS Code and Node have them: process.platform-process.arch. */
export const platforms = {
  'linux-x64': { ending: '' },
  'linux-arm64': { ending: '' },
  'darwin-x64': { ending: '' },
  'darwin-arm64': { ending: '' },
  'win32-x64': { ending: '.exe' },
  'win32-arm64': { ending: '.exe' },
};

const escaped = (text) => String(text).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

export const contentTypes = `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${[
  'json',
  'vsixmanifest',
  'js',
  'css',
  'md',
  'svg',
  'png',
  'exe',
]
  .map((ending) => `<Default Extension=".${ending}" ContentType="${types(ending)}"/>`)
  .join(
    '',
  )}<Override PartName="/extension/LICENSE" ContentType="text/plain"/><Override PartName="/extension/THIRD_PARTY_NOTICES" ContentType="text/plain"/><Default Extension="" ContentType="application/octet-stream"/></Types>
`;

function types(ending) {
  return {
    json: 'application/json',
    vsixmanifest: 'text/xml',
    js: 'application/javascript',
    css: 'text/css',
    md: 'text/markdown',
    svg: 'image/svg+xml',
    png: 'image/png',
    exe: 'application/octet-stream',
  }[ending];
}

/** The text of the marketplace page. Pictures come from the repository at the version's tag; without a repository, there are none. */
export function readmeOf(text, about) {
  const picture = /!\[([^\]]*)\]\(\.\.\/\.\.\/([^)]+)\)\n*/g;
  const address = about.repository?.url;
  if (!address) return text.replaceAll(picture, '');
  return text.replaceAll(picture, `![$1](${address}/raw/v${about.version}/$2)\n\n`);
}

export function manifestOf(about, platform) {
  const property = (id, value) => `<Property Id="Microsoft.VisualStudio.${id}" Value="${escaped(value)}"/>`;
  const address = about.repository?.url;
  const links = address
    ? ['Source', 'GitHub', 'Learn', 'Getstarted']
        .map((id) => property(`Services.Links.${id}`, address))
        .concat(property('Services.Links.Support', `${address}/issues`))
    : [];
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
<Metadata>
<Identity Language="en-US" Id="${escaped(about.name)}" Version="${escaped(about.version)}" Publisher="${escaped(about.publisher)}" TargetPlatform="${escaped(platform)}"/>
<DisplayName>${escaped(about.displayName)}</DisplayName>
<Description xml:space="preserve">${escaped(about.description)}</Description>
<Tags>${escaped(about.keywords.join(','))}</Tags>
<Categories>${escaped(about.categories.join(','))}</Categories>
<Properties>
${property('Code.Engine', about.engines.vscode)}
${property('Code.ExtensionKind', about.extensionKind.join(','))}
${[property('Code.ExecutesCode', 'true'), ...links].join('\n')}
</Properties>
<License>extension/LICENSE</License>
<Icon>extension/${escaped(about.icon)}</Icon>
</Metadata>
<Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
<Dependencies/>
<Assets>
<Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
<Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
<Asset Type="Microsoft.VisualStudio.Services.Content.Changelog" Path="extension/CHANGELOG.md" Addressable="true"/>
<Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE" Addressable="true"/>
<Asset Type="Microsoft.VisualStudio.Services.Icons.Default" Path="extension/${escaped(about.icon)}" Addressable="true"/>
</Assets>
</PackageManifest>
`;
}

/** The manifest that VS Code reads: without the fields of the build. */
export function packageOf(about) {
  const building = new Set(['devDependencies', 'overrides', 'scripts', 'private']);
  const kept = Object.entries(about).filter(([key]) => !building.has(key));
  return `${JSON.stringify(Object.fromEntries(kept), undefined, 2)}\n`;
}
