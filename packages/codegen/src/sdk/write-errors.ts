/** errors.ts: a class per status, and a class per code under it. */
import type { ErrorModel, Field, SdkModel, Type } from "./model.ts";
import { camelCase, errorClassName, statusClassName } from "./names.ts";
import { translator } from "./prose.ts";
import { docComment, fileText, importOf } from "./text.ts";
import { needs, type ObjectWriting, propertyLines } from "./write-objects.ts";
import { typeWriter } from "./write-type.ts";
import { bodyName } from "./write-wire.ts";

/** What every error of the core has; a body's field of the same name is read there. */
const INHERITED = new Set(["status", "code", "message", "requestId", "retryAfter", "retryAfterSeconds", "body", "headers"]);

const ownFields = ({ fields }: ErrorModel): Field[] => fields.filter(({ wireName }) => !INHERITED.has(camelCase(wireName)));

const decoded = (type: Type, wire: string, code: string): string => {
  if (type.kind === "instant") return `new Date(${wire})`;
  if (type.kind === "decimal") return `new PublishedDecimal(${wire})`;
  // A list is there to be walked, even where something in between cut the body short.
  if (type.kind === "list") return `${wire} ?? []`;
  if (type.kind === "nullable" || type.kind === "record") throw new Error(`${code}: errors with such fields are not written yet`);
  return wire;
};

const nameLine = (name: string): string[] => ["  static {", `    ${name}.prototype.name = "${name}";`, "  }"];

const statusLines = (status: number, errors: readonly ErrorModel[]): string[] => {
  const name = statusClassName(status);
  const codes = errors.map(({ code }) => `{@link ${errorClassName(code)}}`).join(", ");
  return [
    ...docComment([`Status ${status}. Codes with a class of their own: ${codes}.`]),
    `export class ${name} extends ApiError {`,
    ...nameLine(name),
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
            ({ wireName, type }) => `    this.${camelCase(wireName)} = ${decoded(type, `body.${wireName}`, error.code)};`,
          ),
          "  }",
        ];
  return [
    ...docComment([`\`${error.code}\`: ${error.condition}`, "", `What to do: ${writing.translate(error.remedy)}`]),
    `export class ${name} extends ${statusClassName(error.status)} {`,
    ...nameLine(name),
    ...(fields.length === 0 ? [] : [""]),
    ...fields.flatMap((field) => propertyLines(field, writing)),
    ...making,
    "}",
  ];
};

const BODY_LINES = [
  ...docComment(["What a body of a code holds, as the contract says; nothing can check it here."]),
  "const bodyOf = <Body>(details: ApiErrorDetails): Body => (details.body ?? {}) as Body;",
];

const registryLines = (errors: readonly ErrorModel[], statuses: readonly number[]): string[] => [
  ...docComment(["Which class stands for which answer."]),
  "export const errorRegistry: ErrorRegistry = {",
  "  byCode: {",
  ...errors.map(({ code }) => `    ${code}: ${errorClassName(code)},`),
  "  },",
  "  byStatus: {",
  ...statuses.map((status) => `    ${status}: ${statusClassName(status)},`),
  "  },",
  "};",
];

/** The file. */
export const errorsFile = (model: SdkModel): string => {
  const { errors } = model;
  const writing: ObjectWriting = { form: "decoded", write: typeWriter("decoded", model.values), translate: translator(model) };
  const statuses = [...new Set(errors.map(({ status }) => status))].sort((left, right) => left - right);
  const ofStatus = (status: number): ErrorModel[] => errors.filter((error) => error.status === status);
  const { types, values } = needs(errors.flatMap(ownFields), writing);
  return fileText(
    "One class per error code of the service, under one per status.",
    [
      'import { ApiError, type ApiErrorDetails, type ErrorRegistry } from "../core/errors.ts";',
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
