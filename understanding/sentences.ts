/** With the white space that follows each, so that they add up to the text. */
export function sentencesOf(text: string): string[] {
  return text.match(/[^.!?…。？！\n]*(?:[.!?…。？！\n]+(?:["'”’»)\]]+)?\s*|$)/gu)?.filter((part) => part !== "") ?? [];
}
