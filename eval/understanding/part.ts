/** What one part of the evaluation of understanding found. */
export interface Part {
  figures: Record<string, number>;
  table: string;
  /** Whether its targets are met. */
  passed: boolean;
}
