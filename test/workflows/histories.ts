/** Recorded by record-histories.ts. */
export const HISTORIES = new URL("./histories/", import.meta.url);
