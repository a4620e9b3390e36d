/** What a mock is, and what the made tables say of the route it stands for. */
import type * as Wire from "../generated/wire.ts";

/** An error code of the wire. */
export type Code = keyof Wire.ErrorBodies;

/** The parameters of a route that takes none. */
export type NoParams = Readonly<Record<never, never>>;

/** What a refusal says beside its code: the fields of its body, and a message where the usual one is too general. */
export type FailDetail<C extends Code> = Omit<Wire.ErrorBodies[C], keyof Wire.ErrorBody> & { readonly message?: string };

/** Refuses the request with one of the route's codes. The fields the code's body adds are demanded by its type. */
export type Fail<Codes extends Code> = <C extends Codes>(
  code: C,
  ...detail: { message?: string } extends FailDetail<C> ? [detail?: FailDetail<C>] : [detail: FailDetail<C>]
) => never;

/** What a mock is told of a request. */
export interface MockCall<Params, Codes extends Code> {
  /** The parameters by their names on the wire, with the service's defaults. */
  readonly params: Params;
  /** The key sent, in either header; null for none. */
  readonly key: string | null;
  readonly request: Request;
  readonly fail: Fail<Codes>;
}

/** A mock of one route: its answer as it stands on the wire, or a function that makes it. */
export type Mock<Params, Answer, Codes extends Code> = Answer | ((call: MockCall<Params, Codes>) => Answer | Promise<Answer>);

/** One parameter of a route. */
export interface MockParameter {
  readonly in: "path" | "query" | "body";
  readonly kind: "text" | "number" | "boolean";
  /** What it is when it is left out. */
  readonly whenAbsent?: unknown;
}

/** One route. */
export interface MockRoute {
  readonly resource: string;
  readonly action: string;
  readonly method: "GET" | "POST" | "DELETE";
  /** The path with `{parameters}`. */
  readonly path: string;
  readonly status: number;
  readonly cacheControl: string;
  readonly parameters: Readonly<Record<string, MockParameter>>;
  /** An answer as it stands on the wire; undefined where there is no body. */
  readonly example: unknown;
}

/** One error code. */
export interface MockError {
  readonly status: number;
  readonly message: string;
}
