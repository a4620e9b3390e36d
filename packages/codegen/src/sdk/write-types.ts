/**
 * Writes types.ts, the objects in responses; inputs.ts, those in requests; wire.ts, the same with parameters and error bodies in
 * wire form; values.ts, their named values; and webhooks.ts, the events that endpoints receive.
 */
import { WEBHOOK_HEADERS, WEBHOOK_TOLERANCE_MS, webhookEvent } from "@assay/contract";
import type { ErrorModel, MethodModel, SdkModel, ValuesModel } from "./model.ts";
import { bodyName, listName, queryName } from "./names.ts";
import { jsonSchemaOf, SchemaReader } from "./read-schema.ts";
import { bracketed, docComment, fileText, importOf, sentence } from "./text.ts";
import { declarationLines, fieldsOf, needs, type ObjectWriting, propertyLines, writingOf } from "./type-text.ts";

/** The text of types.ts. */
export const typesFile = (model: SdkModel): string => {
  const writing = writingOf("decoded", model);
  const declarations = new Map([...model.declarations, ...model.errorDeclarations]);
  const { values, decimals } = needs(fieldsOf(declarations), writing);
  return fileText(
    "Types of responses: figures are exact decimals, instants are Dates, and fields that the service omits are absent.",
    [...importOf(decimals, "../core/published-decimal.ts"), ...importOf(values, "./values.ts")],
    [...declarations.values()].map((declaration) => declarationLines(declaration, declarations, writing)),
  );
};

/** The text of inputs.ts. */
export const inputsFile = (model: SdkModel): string => {
  const writing = writingOf("input", model);
  const { values, decimals } = needs(fieldsOf(model.inputs), writing);
  return fileText(
    "Objects in requests: amounts are Decimals or decimal text, since a number may have lost digits.",
    [...importOf(decimals, "../core/published-decimal.ts"), ...importOf(values, "./values.ts")],
    [...model.inputs.values()].map((declaration) => declarationLines(declaration, model.inputs, writing)),
  );
};

const bodyLines = ({ code, status, condition, fields }: ErrorModel, writing: ObjectWriting): string[] => [
  ...docComment([`\`${code}\`, status ${status}: ${condition}`]),
  `export interface ${bodyName(code)} extends ErrorBody {`,
  `  readonly error: ${JSON.stringify(code)};`,
  ...fields.flatMap((field) => propertyLines(field, writing)),
  "}",
];

const ERROR_BODY = [
  ...docComment(["What every error body holds."]),
  "export interface ErrorBody {",
  ...docComment(["Machine code."], "  "),
  "  readonly error: string;",
  ...docComment(["What went wrong, in words."], "  "),
  "  readonly message: string;",
  ...docComment(["The id of the request, also in X-Request-Id."], "  "),
  "  readonly request_id: string;",
  "}",
];

const bodiesLines = (errors: readonly ErrorModel[]): string[] => [
  ...docComment(["Every error body by its code."]),
  "export interface ErrorBodies {",
  ...errors.map(({ code }) => `  readonly ${code}: ${bodyName(code)};`),
  "}",
];

const queryLines = (method: MethodModel, writing: ObjectWriting): string[] => [
  ...docComment([`Parameters of \`${method.method} ${method.path}\`.`]),
  `export interface ${queryName(method)} {`,
  ...method.parameters.flatMap((parameter) => propertyLines(parameter, writing)),
  "}",
];

/** The text of wire.ts. */
export const wireFile = (model: SdkModel): string => {
  const writing = writingOf("wire", model);
  const declarations = new Map([...model.declarations, ...model.inputs, ...model.errorDeclarations]);
  const asked = model.methods.filter(({ parameters }) => parameters.length > 0);
  const all = [
    ...fieldsOf(declarations),
    ...model.errors.flatMap(({ fields }) => fields),
    ...asked.flatMap(({ parameters }) => parameters),
  ];
  return fileText(
    "Responses, parameters and error bodies as they are on the wire: amounts and instants as text, names in snake_case.",
    importOf(needs(all, writing).values, "./values.ts"),
    [
      ...[...declarations.values()].map((declaration) =>
        declarationLines({ ...declaration, description: sentence(declaration.description) }, declarations, writing),
      ),
      ...asked.map((method) => queryLines(method, writing)),
      ERROR_BODY,
      ...model.errors.map((error) => bodyLines(error, writing)),
      bodiesLines(model.errors),
    ],
  );
};

/** The shorter list that this one contains and refers to by name. */
const containedIn = (list: ValuesModel, lists: readonly ValuesModel[]): ValuesModel | undefined =>
  lists
    .filter((other) => other !== list && other.values.length < list.values.length && other.values.length > 3)
    .find((other) => other.values.every((value) => list.values.includes(value)));

const membersOf = (list: ValuesModel, lists: readonly ValuesModel[]): string[] => {
  const contained = containedIn(list, lists);
  const rest = list.values.filter((value) => !contained?.values.includes(value)).map((value) => JSON.stringify(value));
  return contained ? [...rest, `...${listName(contained.name)}`] : rest;
};

/** A list comes after the list it contains. */
const inOrder = (lists: readonly ValuesModel[]): ValuesModel[] => {
  const isPart = (list: ValuesModel): boolean => lists.some((other) => containedIn(other, lists) === list);
  return [...lists.filter(isPart), ...lists.filter((list) => !isPart(list))];
};

/** The text of values.ts. */
export const valuesFile = ({ values }: SdkModel): string =>
  fileText(
    "Named values, as lists and as types.",
    [],
    [
      ...inOrder(values).flatMap((list) => [
        [
          ...docComment([list.description]),
          ...bracketed(`export const ${listName(list.name)} = `, ["[", "]"], membersOf(list, values), " as const;"),
        ],
        [...docComment([list.description]), `export type ${list.name} = (typeof ${listName(list.name)})[number];`],
      ]),
      [
        ...docComment(["A list that may grow: editors suggest the values known today, and any text is accepted."]),
        "export type Open<Known extends string> = Known | (string & {});",
      ],
    ],
  );

/** The text of webhooks.ts. */
export const webhooksFile = (model: SdkModel): string => {
  const wire = writingOf("wire", model);
  const reader = new SchemaReader();
  reader.read(jsonSchemaOf(webhookEvent, "output"), "WebhookEvent");
  const { values } = needs(fieldsOf(reader.declarations), wire);
  return fileText(
    "Events that endpoints receive, as on the wire: amounts are decimal text, instants ISO-8601.",
    importOf(values, "./values.ts"),
    [
      [
        ...docComment(["How far the clock of a receiver and the timestamp of an event may be apart, in milliseconds."]),
        `export const WEBHOOK_TOLERANCE_MS = ${WEBHOOK_TOLERANCE_MS};`,
      ],
      [
        ...docComment(["The headers of an event."]),
        "export const WEBHOOK_HEADERS = {",
        ...Object.entries(WEBHOOK_HEADERS).map(([name, header]) => `  ${name}: "${header}",`),
        "} as const;",
      ],
      ...[...reader.declarations.values()].map((declaration) => declarationLines(declaration, reader.declarations, wire)),
    ],
  );
};
