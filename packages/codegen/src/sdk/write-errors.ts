/** Writes errors.ts: a class per status, and a class per code below it. */
import { ERRORS, STREAM_CLOSE_CODES, STREAM_CLOSES, STREAM_TIER, type StreamClose } from "@assay/contract";
import type { ErrorModel, Field, SdkModel, Type } from "./model.ts";
import { bodyName, camelCase, errorClassName, statusClassName } from "./names.ts";
import { docComment, fileText, importOf, sentence } from "./text.ts";
import { needs, type ObjectWriting, propertyLines, writingOf } from "./type-text.ts";

/** A refusal as REST would send it, with the fields that a close can provide. */
export interface RestRefusal {
  readonly status: number;
  readonly body: Readonly<Record<string, string>> & { readonly error: string };
}

/** What a close carries besides its code. */
const KNOWN: Readonly<Record<string, Readonly<Record<string, string>>>> = { plan_gated: { required_tier: STREAM_TIER } };

/** Refusals by the code of the stream's `error` frame. */
export const REST_REFUSALS: Readonly<Record<string, RestRefusal>> = Object.fromEntries(
  STREAM_CLOSE_CODES.flatMap((code) => {
    const { restCode }: StreamClose = STREAM_CLOSES[code];
    if (restCode === undefined) return [];
    return [[code, { status: ERRORS[restCode].status, body: { error: restCode, ...KNOWN[restCode] } }]];
  }),
);

/** Fields every error inherits; a body field of the same name is read from there. */
const INHERITED = new Set(["status", "code", "message", "requestId", "retryAfter", "retryAfterSeconds", "body", "headers"]);

const ownFields = ({ fields }: ErrorModel): Field[] => fields.filter(({ wireName }) => !INHERITED.has(camelCase(wireName)));

const decoded = (type: Type, wire: string, code: string): string => {
  if (type.kind === "instant") return `instantOf(${wire})`;
  if (type.kind === "decimal") return `new PublishedDecimal(${wire})`;
  // Lists default to empty, because callers iterate over them even when a proxy truncated the body.
  if (type.kind === "list") return `${wire} ?? []`;
  if (type.kind === "nullable" || type.kind === "record") throw new Error(`${code}: errors with such fields are not written yet`);
  return wire;
};

/** A field missing from a stream's refusal for the same cause. */
const isUnknownToStreams = ({ wireName }: Field, code: string): boolean => {
  const body = Object.values(REST_REFUSALS).find(({ body: { error } }) => error === code)?.body;
  return body !== undefined && !Object.hasOwn(body, wireName);
};

/** A proxy may drop an instant, and a stream omits what it does not know about the caller. */
const asRead = (field: Field, { code }: ErrorModel): Field =>
  field.type.kind === "instant" || isUnknownToStreams(field, code)
    ? {
        ...field,
        type: { kind: "nullable", of: field.type },
        description: `${sentence(field.description)} Null if the response does not say.`,
      }
    : field;

export const brandLines = (name: string): string[] => ["  static {", `    errorBrand(${name}, "${name}");`, "  }"];

/** The base class of all 5xx statuses. */
const parentOf = (status: number): string => (status >= 500 ? "Http5xxError" : "ApiError");

const statusLines = (status: number, errors: readonly ErrorModel[]): string[] => {
  const name = statusClassName(status);
  const codes = errors.map(({ code }) => `{@link ${errorClassName(code)}}`).join(", ");
  return [
    ...docComment([`Status ${status}. Codes with a class of their own: ${codes}.`]),
    `export class ${name} extends ${parentOf(status)} {`,
    ...brandLines(name),
    "}",
  ];
};

const codeLines = (error: ErrorModel, writing: ObjectWriting): string[] => {
  const name = errorClassName(error.code);
  const fields = ownFields(error);
  const making =
    fields.length === 0
      ? []
      : [
          "",
          "  constructor(details: ApiErrorDetails) {",
          "    super(details);",
          `    const body = bodyOf<Wire.${bodyName(error.code)}>(details);`,
          ...fields.map(
            (field) =>
              `    this.${camelCase(field.wireName)} = ${decoded(field.type, `body.${field.wireName}`, error.code)}${isUnknownToStreams(field, error.code) ? " ?? null" : ""};`,
          ),
          "  }",
        ];
  return [
    ...docComment([`\`${error.code}\`: ${error.condition}`, "", `What to do: ${writing.translate(error.remedy)}`]),
    `export class ${name} extends ${statusClassName(error.status)} {`,
    ...brandLines(name),
    ...(fields.length === 0 ? [] : [""]),
    ...fields.flatMap((field) => propertyLines(asRead(field, error), writing)),
    ...making,
    "}",
  ];
};

const BODY_LINES = [
  ...docComment(["The body of each code as the contract declares it; it is not validated here."]),
  "const bodyOf = <Body>(details: ApiErrorDetails): Body => (details.body ?? {}) as Body;",
];

const registryLines = (errors: readonly ErrorModel[], statuses: readonly number[]): string[] => [
  ...docComment(["Which class represents which response."]),
  "export const errorRegistry: ErrorRegistry = registryOf([",
  ...[...statuses.map(statusClassName), ...errors.map(({ code }) => errorClassName(code))].map((name) => `  ${name},`),
  "]);",
];

export const errorsFile = (model: SdkModel): string => {
  const { errors } = model;
  const writing = writingOf("decoded", model);
  const statuses = [...new Set(errors.map(({ status }) => status))].sort((left, right) => left - right);
  const ofStatus = (status: number): ErrorModel[] => errors.filter((error) => error.status === status);
  const all = errors.flatMap(ownFields);
  const { types, values } = needs(all, writing);
  const base = statuses.some((status) => status >= 500) ? ["Http5xxError"] : [];
  const instants = all.some(({ type }) => type.kind === "instant") ? ["instantOf"] : [];
  return fileText(
    "One class per error code of the service, each a subclass of the class of its status.",
    [
      ...importOf(["errorBrand"], "../core/brand.ts", false),
      `import { ApiError, type ApiErrorDetails, type ErrorRegistry${[...base, ...instants].map((name) => `, ${name}`).join("")}, registryOf } from "../core/errors.ts";`,
      ...importOf(types, "./types.ts"),
      ...importOf(values, "./values.ts"),
      'import type * as Wire from "./wire.ts";',
    ],
    [
      BODY_LINES,
      ...statuses.flatMap((status) => [
        statusLines(status, ofStatus(status)),
        ...ofStatus(status).map((error) => codeLines(error, writing)),
      ]),
      registryLines(errors, statuses),
    ],
  );
};
