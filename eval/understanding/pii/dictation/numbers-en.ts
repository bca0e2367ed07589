const SMALL =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const TENS = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
const ORDINALS: Record<string, string> = {
  one: "first",
  two: "second",
  three: "third",
  five: "fifth",
  eight: "eighth",
  nine: "ninth",
  twelve: "twelfth",
  twenty: "twentieth",
  thirty: "thirtieth",
};

/** Below a million. */
export function englishNumber(number: number, and = false): string {
  if (number < 20) return SMALL[number] as string;
  if (number < 100) return `${TENS[Math.floor(number / 10)]}${number % 10 ? `-${SMALL[number % 10]}` : ""}`;
  if (number < 1000) {
    const rest = number % 100;
    return `${SMALL[Math.floor(number / 100)]} hundred${rest ? `${and ? " and" : ""} ${englishNumber(rest)}` : ""}`;
  }
  const rest = number % 1000;
  return `${englishNumber(Math.floor(number / 1000), and)} thousand${rest ? ` ${englishNumber(rest, and)}` : ""}`;
}

export function englishOrdinal(number: number): string {
  const words = englishNumber(number);
  const last = words.split(/[- ]/u).at(-1) as string;
  return words.slice(0, words.length - last.length) + (ORDINALS[last] ?? `${last}th`);
}

export const englishDigit = (sign: string) => SMALL[Number(sign)] as string;
