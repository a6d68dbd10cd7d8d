export function editorStyle(css: string): string;
