/** The name of a pool's nth pod of a template. */
export function podName(pool: string, templateHash: string, index: number): string {
  return `${pool}-${templateHash}-${index}`;
}

/** The n of `<pool>-<hash>-<n>`; null when the name is not of that form. */
export function podIndex(pool: string, templateHash: string, name: string): number | null {
  const prefix = `${pool}-${templateHash}-`;
  const number = name.startsWith(prefix) ? name.slice(prefix.length) : "";
  return /^(0|[1-9]\d{0,5})$/.test(number) ? Number(number) : null;
}
