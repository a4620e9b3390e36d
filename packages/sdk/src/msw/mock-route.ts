/** The type of a mock, and what the generated tables say about its route. */
import type * as Wire from "../generated/wire.ts";

/** An error code of the wire. */
export type Code = keyof Wire.ErrorBodies;

/** The parameters of a route without any. */
export type NoParams = Readonly<Record<never, never>>;

/** Details of a refusal: the fields of its body, and a message to replace the default one. */
export type FailDetail<C extends Code> = Omit<Wire.ErrorBodies[C], keyof Wire.ErrorBody> & { readonly message?: string };

/** Refuses the request with one of the route's codes. The type requires the extra fields of the code's body. */
export type Fail<Codes extends Code> = <C extends Codes>(
  code: C,
  ...detail: { message?: string } extends FailDetail<C> ? [detail?: FailDetail<C>] : [detail: FailDetail<C>]
) => never;

/** What a mock receives of a request. */
export interface MockCall<Params, Codes extends Code> {
  /** The parameters by wire name, with the service's defaults. */
  readonly params: Params;
  /** The key sent, in either header; null for none. */
  readonly key: string | null;
  readonly request: Request;
  readonly fail: Fail<Codes>;
}

/** A mock of one route: its answer as on the wire, or a function that returns it. */
export type Mock<Params, Answer, Codes extends Code> = Answer | ((call: MockCall<Params, Codes>) => Answer | Promise<Answer>);

/** One parameter of a route. */
export interface MockParameter {
  readonly in: "path" | "query" | "body";
  readonly kind: "text" | "number" | "boolean";
  /** Its default. */
  readonly whenAbsent?: unknown;
}

/** One route. */
export interface MockRoute {
  readonly resource: string;
  readonly action: string;
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** The path with `{parameters}`. */
  readonly path: string;
  readonly status: number;
  readonly cacheControl: string;
  /** Whether it can answer with a receipt. */
  readonly hasReceipt?: true;
  readonly parameters: Readonly<Record<string, MockParameter>>;
  /** An answer as on the wire; undefined when there is no body. */
  readonly example: unknown;
}

/** One error code. */
export interface MockError {
  readonly status: number;
  readonly message: string;
}
