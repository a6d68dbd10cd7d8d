export const platforms: Record<string, { ending: string }>;
export const contentTypes: string;
export function readmeOf(text: string, about: object): string;
export function manifestOf(
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
export function packageOf(about: object): string;
