export function editor_style(css: string): string;
