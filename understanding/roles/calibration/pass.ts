/** A voter counts only when so many of its answers on the calibration calls were right. */
export const PASS = 0.95;
