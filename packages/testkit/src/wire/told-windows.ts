/** The windows an answer reports to its caller, parsed from `RateLimit-Policy` and `RateLimit`. */

/** A window as the headers report it. */
export interface ToldWindow {
  readonly quota: number;
  readonly lengthSeconds: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

const readItems = (header: string | null): Map<string, Record<string, number>> =>
  new Map(
    (header ?? "")
      .split(", ")
      .filter((item) => item !== "")
      .map((item) => {
        const [name = "", ...parameters] = item.split(";");
        return [
          name.replaceAll('"', ""),
          Object.fromEntries(parameters.map((each) => each.split("=")).map(([k, v]) => [k, Number(v)])),
        ];
      }),
  );

/** Parses every window of an answer, by name; a value missing from the header is NaN. */
export const windowsOf = ({ headers }: { readonly headers: Headers }): Map<string, ToldWindow> => {
  const states = readItems(headers.get("ratelimit"));
  return new Map(
    [...readItems(headers.get("ratelimit-policy"))].map(([name, policy]) => {
      const state = states.get(name);
      const window = {
        quota: policy.q ?? Number.NaN,
        lengthSeconds: policy.w ?? Number.NaN,
        remaining: state?.r ?? Number.NaN,
        resetSeconds: state?.t ?? Number.NaN,
      };
      return [name, window];
    }),
  );
};
