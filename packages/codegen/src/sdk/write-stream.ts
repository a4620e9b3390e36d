/**
 * Writes stream.ts: the frames as the SDK returns and sends them, their names, limits and close codes, and an error class per
 * final close.
 */
import {
  clientFrame,
  mayReconnect,
  PHYSICAL_CHANNELS,
  SSE_SYMBOLS,
  STREAM_CLOSE_CODES,
  STREAM_CLOSES,
  STREAM_LIMITS,
  STREAM_PATH,
  STREAM_SYMBOLS,
  serverFrame,
  sseId,
  streams,
} from "@assay/contract";
import type { Declaration, SdkModel } from "./model.ts";
import { constantName, errorClassName, pascalCase } from "./names.ts";
import { type JsonSchema, jsonSchemaOf, SchemaReader } from "./read-schema.ts";
import { bracketed, docComment, fileText, importOf, unionAlias } from "./text.ts";
import { declarationLines, fieldsOf, needs, writingOf } from "./type-text.ts";
import { brandLines, REST_REFUSALS } from "./write-errors.ts";
import { valueLines } from "./write-mocks.ts";
import { shapeLines } from "./write-operations.ts";

/** The type of a field: `count` is a whole number from 0 up, `counts` an object of counts; an object lists its own fields. */
type FieldKind = "text" | "number" | "count" | "boolean" | "list" | "counts" | FieldKinds;

/** Required fields by name. */
interface FieldKinds {
  readonly [field: string]: FieldKind;
}

const PLAIN = { string: "text", number: "number", boolean: "boolean", array: "list" } as const;

const isCount = ({ type, minimum }: JsonSchema): boolean => type === "integer" && minimum === 0;

/** Null where a value may have several types: then only its presence is checked. */
const kindOf = (schema: JsonSchema, defs: JsonSchema["$defs"]): FieldKind | null => {
  const { type, additionalProperties } = schema;
  if (schema.$ref !== undefined || schema.properties !== undefined) return requiredFields(schema, defs);
  if (isCount(schema)) return "count";
  if (type === "integer") return "number";
  if (typeof additionalProperties === "object" && isCount(additionalProperties)) return "counts";
  return typeof type === "string" && type in PLAIN ? PLAIN[type as keyof typeof PLAIN] : null; // just checked
};

/**
 * Reads the required fields of an object.
 * @param schema an object's schema, or a reference to one
 * @param defs targets of references; defaults to the schema's own
 */
const requiredFields = (schema: JsonSchema, defs: JsonSchema["$defs"] = schema.$defs): FieldKinds => {
  const { properties = {}, required = [] } =
    schema.$ref === undefined ? schema : (defs?.[schema.$ref.split("/").at(-1) ?? ""] ?? {});
  const kinds = required.map((name) => [name, kindOf(properties[name] ?? {}, defs)] as const);
  return Object.fromEntries(kinds.filter((entry): entry is readonly [string, FieldKind] => entry[1] !== null));
};

/** Descriptions of frames, which the contract has only as comments. */
const ABOUT: Readonly<Record<string, string>> = {
  WelcomeFrame: "The key was accepted.",
  TickFrame: "A published price.",
  PhysicalFrame: "A dealer's quote changed.",
  StreamQuote: "A dealer's quote, as its channel sends it.",
  HeartbeatFrame: "The connection is alive; the newest number of each sequence.",
  PongFrame: "The answer to ping.",
  ErrorFrame: "An error; if it is fatal, a close follows.",
  SubscribedFrameRejected: "A name that is not followed.",
  UnsubscribedFrameRejected: "A name that was not followed.",
};

const frameName = (type: string): string => `${pascalCase(type)}Frame`;

const described = (declaration: Declaration): Declaration => {
  const description = declaration.description || ABOUT[declaration.name];
  if (!description) throw new Error(`${declaration.name} is not described`);
  return { ...declaration, description };
};

/** An empty list means that nothing is followed. */
const withoutDefaults = (declaration: Declaration): Declaration =>
  declaration.kind === "union"
    ? declaration
    : { ...declaration, fields: declaration.fields.map((field) => ({ ...field, whenAbsent: undefined })) };

/** Frames are looked up by type. */
const withoutType = ({ type, ...fields }: FieldKinds): FieldKinds => fields;

const texts = (values: readonly string[]): string[] => values.map((value) => JSON.stringify(value));

const listLines = (
  about: string,
  name: string,
  values: readonly string[],
  [type, aboutType]: readonly [string, string],
  isOpen: boolean,
): string[][] => {
  const listed = `(typeof ${name})[number]`;
  return [
    [...docComment([about]), ...bracketed(`export const ${name} = `, ["[", "]"], texts(values), " as const;")],
    [...docComment([aboutType]), `export type ${type} = ${isOpen ? `Open<${listed}>` : listed};`],
  ];
};

/** Limits that a client needs to know. */
const LIMITS = [
  "heartbeatMs",
  "maxFrames",
  "frameWindowMs",
  "sseResumeMs",
] as const satisfies readonly (keyof typeof STREAM_LIMITS)[];

/** Close codes after which a client reconnects, as ranges. */
const reconnectable = (): [number, number][] => {
  const ranges: [number, number][] = [];
  for (let close = 1000; close < 5000; close += 1) {
    if (!mayReconnect(close)) continue;
    const last = ranges.at(-1);
    if (last && last[1] === close - 1) last[1] = close;
    else ranges.push([close, close]);
  }
  return ranges;
};

const closeLines = (): string[][] => [
  [
    ...docComment(["The close code that goes with the code of an `error` frame."]),
    "export const STREAM_CLOSES = {",
    ...STREAM_CLOSE_CODES.map((code) => `  ${code}: ${STREAM_CLOSES[code].close},`),
    "} as const;",
  ],
  [
    ...docComment(["Ranges of close codes after which a client reconnects; after all others it does not."]),
    "export const RECONNECT_CLOSES: readonly (readonly [number, number])[] = [",
    ...reconnectable().map(([from, to]) => `  [${from}, ${to}],`),
    "];",
  ],
];

const finalCodes = STREAM_CLOSE_CODES.filter((code) => !mayReconnect(STREAM_CLOSES[code].close) && !(code in REST_REFUSALS));
const streamErrorName = (code: string): string => `Stream${errorClassName(code)}`;

const errorLines = (): string[][] => [
  ...finalCodes.map((code) => {
    const name = streamErrorName(code);
    const { close, condition } = STREAM_CLOSES[code];
    return [
      ...docComment([`\`${code}\`, close code ${close}: ${condition}`]),
      `export class ${name} extends StreamClosedError {`,
      ...brandLines(name),
      "}",
    ];
  }),
  [
    ...docComment([
      "The class of each code after which a client does not reconnect, except for codes that have a class of REST.",
    ]),
    "export const streamErrors: Readonly<Record<string, typeof StreamClosedError>> = {",
    ...finalCodes.map((code) => `  ${code}: ${streamErrorName(code)},`),
    "};",
  ],
  [
    ...docComment(["The REST error code with the same cause as a close code, where there is one."]),
    "export const REST_REFUSALS: Readonly<Record<string, RestRefusal>> = {",
    ...Object.entries(REST_REFUSALS).flatMap(([code, { status, body }]) => valueLines({ status, body }, `${code}: `, ",", "  ")),
    "};",
  ],
];

/** Both lists of symbols are open. */
const UNLESS_ADDED = "as every service has them; one whose operator added metals may carry more.";

const CONSTANTS: string[][] = [
  [...docComment(["Where WebSockets connect."]), `export const STREAM_PATH = ${JSON.stringify(STREAM_PATH)};`],
  [...docComment(["Where the SSE feed is."]), `export const SSE_PATH = ${JSON.stringify(streams.prices.path)};`],
  [
    ...docComment(["The id of an SSE tick; a client that sends it resumes with the next tick."]),
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a template
    `export const sseId = (symbol: string, seq: number): string => \`${sseId("${symbol}", 0).replace(/0$/, "${seq}")}\`;`,
  ],
  ...listLines(
    `Symbols a WebSocket may follow, in USD, ${UNLESS_ADDED}`,
    "STREAM_SYMBOLS",
    STREAM_SYMBOLS,
    ["StreamSymbol", "A symbol a WebSocket may follow."],
    true,
  ),
  ...listLines(
    `Symbols the SSE feed carries, ${UNLESS_ADDED}`,
    "SSE_SYMBOLS",
    SSE_SYMBOLS,
    ["SseSymbol", "A symbol the SSE feed carries."],
    true,
  ),
  ...listLines(
    "Channels of dealers' quotes, one per country.",
    "PHYSICAL_CHANNELS",
    PHYSICAL_CHANNELS,
    ["PhysicalChannel", "A channel of dealers' quotes."],
    false,
  ),
  [
    ...docComment(["Limits that a client observes; times in milliseconds."]),
    ...bracketed(
      "export const STREAM_LIMITS = ",
      ["{", "}"],
      LIMITS.map((name) => `${name}: ${STREAM_LIMITS[name]}`),
      " as const;",
    ),
  ],
];

export const streamFile = (model: SdkModel): string => {
  const decoded = writingOf("decoded", model);
  const wire = writingOf("wire", model);
  const served = new SchemaReader();
  const serverSchemas = serverFrame.options.map((option) => [option.shape.type.value, jsonSchemaOf(option, "output")] as const);
  const serverTypes = serverSchemas.map(([type]) => type);
  for (const [type, schema] of serverSchemas) served.read(schema, frameName(type));
  const sent = new SchemaReader();
  const clientTypes = clientFrame.options.map((option) => option.shape.action.value);
  for (const option of clientFrame.options) sent.read(jsonSchemaOf(option, "input"), frameName(option.shape.action.value));

  const servedAll = [...served.declarations.values()].map(described);
  const sentAll = [...sent.declarations.values()].map(described).map(withoutDefaults);
  const { values, decimals } = needs(fieldsOf(served.declarations), decoded);
  return fileText(
    "The streams: what can be followed, the frames in both directions, how connections end.",
    [
      ...importOf(["errorBrand"], "../core/brand.ts", false),
      ...importOf(["FieldKinds", "Shape"], "../core/operation.ts"),
      ...importOf(decimals, "../core/published-decimal.ts"),
      'import { type RestRefusal, StreamClosedError } from "../stream/errors.ts";',
      ...importOf([...values, "Open"], "./values.ts"),
    ],
    [
      ...CONSTANTS,
      ...closeLines(),
      ...errorLines(),
      ...servedAll.map((declaration) => declarationLines(declaration, served.declarations, decoded)),
      [...docComment(["Any frame the service sends, decoded."]), ...unionAlias("ServerFrame", serverTypes.map(frameName))],
      ...servedAll.toReversed().map((declaration) => shapeLines(declaration, served.declarations)),
      [
        ...docComment(["The fields of each frame that become decimals or Dates, by the frame's type."]),
        "export const serverFrames: Readonly<Record<string, Shape>> = {",
        ...serverTypes.map((type) => `  ${type}: ${constantName(frameName(type))},`),
        "};",
      ],
      [
        ...docComment([
          "What a frame must have, by its type: `count` is a whole number from 0 up, `counts` an object of them, a nested table an object.",
        ]),
        ...valueLines(
          Object.fromEntries(serverSchemas.map(([type, schema]) => [type, withoutType(requiredFields(schema))])),
          "export const frameFields: Readonly<Record<string, FieldKinds>> = ",
          ";",
          "",
        ),
      ],
      ...sentAll.map((declaration) => declarationLines(declaration, sent.declarations, wire)),
      [...docComment(["Any frame a client sends, as on the wire."]), ...unionAlias("ClientFrame", clientTypes.map(frameName))],
    ],
  );
};
