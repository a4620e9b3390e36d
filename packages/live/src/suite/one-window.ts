/** Calls against a single window, for suites. */
import type { LimitReading, Live } from "../ports.ts";

/** The windows of an engine, one by one. */
export const oneWindow = ({ admissions }: Pick<Live, "admissions">) => ({
  consume: async (key: string, limit: number, windowMs: number): Promise<LimitReading> =>
    (await admissions.admit([{ key, limit, windowMs }], null)).windows[0],
  peek: async (key: string, limit: number, windowMs: number): Promise<LimitReading> => admissions.peek({ key, limit, windowMs }),
});
