/**
 * Which column each row gets so that the sum of gains is greatest, each column at most once (Kuhn, 1955; Munkres,
 * 1957; here in the form with potentials and shortest augmenting paths, O(n³)). Rows beyond the columns get null.
 * @param gains one list a row, all of one length.
 */
export function assign(gains: readonly (readonly number[])[]): (number | null)[] {
  const [rows, columns] = [gains.length, gains[0]?.length ?? 0];
  const size = Math.max(rows, columns);
  const cost = (row: number, column: number) => -(gains[row]?.[column] ?? 0);
  // 1-based; column 0 stands for "not assigned yet".
  const [ofRow, ofColumn] = [new Float64Array(size + 1), new Float64Array(size + 1)];
  const owner = new Int32Array(size + 1);
  for (let row = 1; row <= size; row++) {
    const [least, from, seen] = [
      new Float64Array(size + 1).fill(Number.POSITIVE_INFINITY),
      new Int32Array(size + 1),
      new Uint8Array(size + 1),
    ];
    let column = 0;
    owner[0] = row;
    do {
      seen[column] = 1;
      const current = owner[column] as number;
      let [delta, next] = [Number.POSITIVE_INFINITY, 0];
      for (let j = 1; j <= size; j++) {
        if (seen[j]) continue;
        const reduced = cost(current - 1, j - 1) - (ofRow[current] as number) - (ofColumn[j] as number);
        if (reduced < (least[j] as number)) {
          least[j] = reduced;
          from[j] = column;
        }
        if ((least[j] as number) < delta) {
          delta = least[j] as number;
          next = j;
        }
      }
      for (let j = 0; j <= size; j++) {
        if (seen[j]) {
          ofRow[owner[j] as number] = (ofRow[owner[j] as number] as number) + delta;
          ofColumn[j] = (ofColumn[j] as number) - delta;
        } else least[j] = (least[j] as number) - delta;
      }
      column = next;
    } while (owner[column] !== 0);
    while (column !== 0) {
      const before = from[column] as number;
      owner[column] = owner[before] as number;
      column = before;
    }
  }
  const answer: (number | null)[] = Array.from({ length: rows }, () => null);
  for (let column = 1; column <= columns; column++) {
    const row = (owner[column] as number) - 1;
    if (row < rows) answer[row] = column - 1;
  }
  return answer;
}
