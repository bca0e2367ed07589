/** ISO 8601 UTC with milliseconds (section 2.3). */
export function timestamp(time: Date | number): string {
  return new Date(time).toISOString();
}
