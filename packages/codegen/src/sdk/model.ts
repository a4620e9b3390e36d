/** The model that the writers work from: resources, methods, types and errors, without schemas. */

export type Type =
  | { readonly kind: "text" | "number" | "boolean" | "null" | "decimal" | "instant" | "day" }
  /** One of several strings or numbers; an open choice also accepts others. */
  | { readonly kind: "choice"; readonly values: readonly (string | number)[]; readonly isOpen: boolean }
  /** Several words in one comma-separated parameter. */
  | { readonly kind: "words"; readonly values: readonly string[] }
  | { readonly kind: "list"; readonly of: Type }
  /** An object whose keys are data. */
  | { readonly kind: "record"; readonly of: Type }
  | { readonly kind: "nullable"; readonly of: Type }
  /** One of several primitive values. */
  | { readonly kind: "either"; readonly of: readonly Type[] }
  /** A declared object or union. */
  | { readonly kind: "named"; readonly name: string };

/** A field of an object, or a parameter. */
export interface Field {
  readonly wireName: string;
  readonly type: Type;
  readonly isOptional: boolean;
  readonly description: string;
  /** An example value on the wire; undefined where the contract has none. */
  readonly example: unknown;
  /** The default of an omitted parameter; undefined when there is none. */
  readonly whenAbsent: unknown;
}

export interface ObjectDeclaration {
  readonly kind: "object";
  readonly name: string;
  readonly description: string;
  readonly fields: readonly Field[];
}

export interface UnionDeclaration {
  readonly kind: "union";
  readonly name: string;
  readonly description: string;
  readonly members: readonly string[];
}

/** A declared type. */
export type Declaration = ObjectDeclaration | UnionDeclaration;

/** Declared types by name, each before the types it refers to. */
export type Declarations = ReadonlyMap<string, Declaration>;

export interface ParameterModel extends Field {
  readonly in: "path" | "query" | "body";
}

/** How a list is paged; names as on the wire. */
export interface PagingModel {
  readonly items: string;
  readonly closed: string | undefined;
  readonly row: Type;
}

export interface MethodModel {
  /** For example `bars.list`. */
  readonly name: string;
  readonly resource: string;
  readonly action: string;
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly auth: "none" | "optional" | "required";
  readonly tier: string;
  readonly isMetered: boolean;
  readonly parameters: readonly ParameterModel[];
  /** Null where the response has no body. */
  readonly result: Type | null;
  /** A response for mocks; null where it has no body. */
  readonly example: unknown;
  readonly status: number;
  readonly cacheControl: string;
  readonly ownCodes: readonly string[];
  /** Codes implied by its access. */
  readonly sharedCodes: readonly string[];
  readonly paging: PagingModel | undefined;
  /** Whether it is a POST that changes nothing. */
  readonly computes: boolean;
  readonly hasReceipt: boolean;
  readonly isDeprecated: boolean;
  /** For example `bars.list`; undefined where there is no replacement. */
  readonly successor: string | undefined;
}

export interface ErrorModel {
  readonly code: string;
  readonly status: number;
  readonly message: string;
  readonly condition: string;
  readonly remedy: string;
  readonly fields: readonly Field[];
}

export interface ValuesModel {
  readonly name: string;
  readonly description: string;
  readonly values: readonly string[];
  /** Whether a service may have more of them than are known today. */
  readonly isOpen: boolean;
}

export interface SdkModel {
  readonly version: string;
  readonly values: readonly ValuesModel[];
  readonly declarations: Declarations;
  readonly inputs: Declarations;
  readonly methods: readonly MethodModel[];
  readonly errors: readonly ErrorModel[];
  /** Declared types that only errors refer to. */
  readonly errorDeclarations: Declarations;
}
