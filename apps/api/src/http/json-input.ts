/** Validates parameters that arrive as one JSON object, wherever REST has them. */
import type { Route } from "@assay/contract";
import type { FailInput } from "@assay/services";

/**
 * A route's parsed input.
 * @param place what the transport calls its parameters; issues name it
 */
export const readJsonInput = (route: Route, input: unknown, place: "input" | "arguments", fail: FailInput): unknown => {
  const parsed = route.input.safeParse(input ?? {});
  if (parsed.success) return parsed.data;
  return fail("validation_error", {
    issues: parsed.error.issues.map(({ path, code, message }) => ({
      path: [place, ...path.map((part) => (typeof part === "symbol" ? String(part) : part))],
      code,
      message,
    })),
  });
};
