/** Shares as percent, by moving the decimal point in their text. */

const PLAIN = /^(-?)(\d+)(?:\.(\d+))?$/;

/**
 * A share in percent: `0.748413` is `74.8413`.
 * @param share decimal text, or a JSON number as published
 * @returns the same digits, the point two places further right; other text as it is
 */
export const asPercent = (share: string | number): string => {
  const text = String(share);
  const [, sign = "", whole, fraction = ""] = PLAIN.exec(text) ?? [];
  if (whole === undefined) return text;
  const padded = fraction.padEnd(2, "0");
  const digits = `${whole}${padded.slice(0, 2)}`.replace(/^0+(?=\d)/, "");
  const rest = padded.slice(2);
  return `${sign}${digits}${rest === "" ? "" : `.${rest}`}`;
};
