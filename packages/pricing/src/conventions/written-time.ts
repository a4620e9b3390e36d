/** Times as they are written in English: months by name, and hours of a clock of twelve. */

export const MONTH_NAMES = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
] as const;

/** Exchanges write July so. */
const JULY = "jly";
const SHORTEST = 3;

/** A month's number by its name or the beginning of it, in any case; 0 for another word. */
export const monthNamed = (name: string): number => {
  const text = name.toLowerCase() === JULY ? "july" : name.toLowerCase();
  return text.length < SHORTEST ? 0 : MONTH_NAMES.findIndex((month) => month.startsWith(text)) + 1;
};

/**
 * The hour of the day: 12 AM is midnight, and 12 PM is noon.
 * @param half begins with `A` or `P`, in any case
 * @returns NaN for none of twelve hours
 */
export const hourOfTwelve = (hour: number, half: string): number =>
  hour >= 1 && hour <= 12 ? (hour % 12) + (half.toLowerCase().startsWith("p") ? 12 : 0) : Number.NaN;
