export const platforms: Record<string, { ending: string }>;
export const content_types: string;
export function manifest_of(
  about: {
    name: string;
    version: string;
    publisher: string;
    displayName: string;
    description: string;
    keywords: string[];
    categories: string[];
    extensionKind: string[];
    icon: string;
    engines: { vscode: string };
    repository?: { url: string };
  },
  platform: string,
): string;
export function package_of(about: object): string;
