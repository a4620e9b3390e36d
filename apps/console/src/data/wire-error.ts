/** Refusals of the service, however it was asked: over tRPC, by the SDK's stream, or with a plain request. */
import { type WireError, wireErrorOf } from "@assay/sdk/trpc";

export class Refused extends Error {
  readonly body: WireError;

  constructor(body: WireError) {
    super(body.message);
    this.body = body;
  }
}

/** The body of a refusal; null for a failure that is none, such as a lost connection. */
export const refusalIn = (error: unknown): WireError | null => {
  const body: unknown = error instanceof Error && "body" in error ? error.body : null;
  const isBody = typeof body === "object" && body !== null && "error" in body && "message" in body;
  return wireErrorOf(error) ?? (isBody ? (body as WireError) : null); // the service's own
};
