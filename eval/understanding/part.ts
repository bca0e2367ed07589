/** What one part of the evaluation of understanding found. */
export interface Part {
  figures: Record<string, number>;
  /** Of its table, the first the head. */
  rows: string[][];
  /** Whether its targets are met. */
  passed: boolean;
}
