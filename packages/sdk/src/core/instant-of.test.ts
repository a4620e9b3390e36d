import { expect, test } from "vitest";
import { QuotaExceededError } from "../generated/errors.ts";

const refused = (body: Record<string, unknown>): QuotaExceededError =>
  new QuotaExceededError({
    ...{ status: 429, code: "quota_exceeded", message: "Used up.", requestId: null, retryAfterSeconds: null },
    ...{ headers: new Headers(), body },
  });

test("an error says when its window restarts, and null where the answer does not say", () => {
  expect(refused({ reset_at: "2026-12-01T00:00:00Z" }).resetAt).toEqual(new Date("2026-12-01T00:00:00Z"));
  for (const body of [{}, { reset_at: null }, { reset_at: 5 }, { reset_at: "soon" }]) expect(refused(body).resetAt).toBeNull();
});
