/** Writes operations.ts: each method's request and response, as tables for the core. */
import type { Declaration, Declarations, Field, MethodModel, ParameterModel, SdkModel, Type } from "./model.ts";
import { constantName, pascalCase, propertyName } from "./names.ts";
import { bracketed, docComment, fileText, importOf, LINE_WIDTH } from "./text.ts";
import { typeWriter } from "./type-text.ts";

/** A type's shape as source code. */
const shapeOf = (type: Type): string => {
  switch (type.kind) {
    case "decimal":
    case "instant":
      return JSON.stringify(type.kind);
    case "list": {
      const of = shapeOf(type.of);
      return of === '"same"' ? of : `{ list: ${of} }`;
    }
    case "record": {
      const of = shapeOf(type.of);
      return of === '"same"' ? of : `{ record: ${of} }`;
    }
    case "nullable":
      return shapeOf(type.of);
    case "named":
      return constantName(type.name);
    default:
      return '"same"';
  }
};

const fieldsOf = (declaration: Declaration, declarations: Declarations): readonly Field[] => {
  if (declaration.kind === "object") return declaration.fields;
  const merged = new Map<string, Field>();
  for (const name of declaration.members) {
    const member = declarations.get(name);
    for (const field of member ? fieldsOf(member, declarations) : []) {
      const known = merged.get(field.wireName);
      if (known && shapeOf(known.type) !== shapeOf(field.type))
        throw new Error(`${declaration.name}.${field.wireName} is of two shapes`);
      merged.set(field.wireName, field);
    }
  }
  return [...merged.values()];
};

/** The fields that every form of an object has; `?` follows those that may be null. */
const requiredOf = (declaration: Declaration, declarations: Declarations): string[] => {
  if (declaration.kind === "object")
    return declaration.fields.flatMap(({ wireName, type, isOptional }) =>
      isOptional ? [] : [type.kind === "nullable" || type.kind === "null" ? `${wireName}?` : wireName],
    );
  const [first = [], ...others] = declaration.members.map((name) => {
    const member = declarations.get(name);
    return member ? requiredOf(member, declarations) : [];
  });
  return first.flatMap((name) => {
    const plain = name.replace("?", "");
    const forms = [name, ...others.map((names) => names.find((other) => other.replace("?", "") === plain))];
    return forms.includes(undefined) ? [] : [forms.includes(`${plain}?`) ? `${plain}?` : plain];
  });
};

/** `bar_start:i`: a name, and the letter of its kind, as the core reads them. */
const listedName = (wireName: string, kind: string): string =>
  kind === "same" ? wireName : `${wireName}:${kind === "day" ? "y" : kind.charAt(0)}`;

/** `name: { … }` lines of a table entry, on one line where that fits. */
const partsText = (parts: readonly string[]): string => (parts.length === 0 ? "" : `, parts: { ${parts.join(", ")} }`);

const textLines = (key: string, text: string, indent = "  "): string[] => {
  const line = `${indent}${key}: ${JSON.stringify(text)},`;
  return line.length <= LINE_WIDTH ? [line] : [`${indent}${key}:`, `${indent}  ${JSON.stringify(text)},`];
};

/**
 * A declared type's shape as source code.
 * @param isChecked whether its fields are required as declared, for input that nothing else has validated
 */
export const shapeLines = (declaration: Declaration, declarations: Declarations, isChecked = false): string[] => {
  const required = isChecked ? requiredOf(declaration, declarations) : [];
  const parts: string[] = [];
  const list = fieldsOf(declaration, declarations).flatMap(({ wireName, type }) => {
    const shape = shapeOf(type);
    const isScalar = shape.startsWith('"');
    if (!isScalar) parts.push(wireName === shape ? wireName : `${propertyName(wireName)}: ${shape}`);
    const mark = required.includes(wireName) ? "" : required.includes(`${wireName}?`) ? "?" : "~";
    // What is not listed may be left out, and is the same.
    if (mark === "~" && (!isScalar || shape === '"same"')) return [];
    return [`${listedName(wireName, isScalar ? shape.slice(1, -1) : "same")}${mark}`];
  });
  const start = `const ${constantName(declaration.name)}: Shape = {`;
  const line = `${start} fields: ${JSON.stringify(list.join(" "))}${partsText(parts)} };`;
  if (line.length <= LINE_WIDTH) return [line];
  return [
    start,
    ...textLines("fields", list.join(" ")),
    ...(parts.length === 0 ? [] : bracketed("parts: ", ["{", "}"], parts, ",", "  ")),
    "};",
  ];
};

const namesIn = (type: Type): string[] => {
  if (type.kind === "named") return [type.name];
  if (type.kind === "list" || type.kind === "record" || type.kind === "nullable") return namesIn(type.of);
  return [];
};

/** Declarations that types refer to, each after the ones it refers to itself. */
const partsFirst = (declarations: Declarations, types: readonly Type[]): Declaration[] => {
  const ordered = new Set<Declaration>();
  const visit = (type: Type): void => {
    for (const name of namesIn(type)) {
      const declaration = declarations.get(name);
      if (!declaration) continue;
      for (const field of fieldsOf(declaration, declarations)) visit(field.type);
      ordered.add(declaration);
    }
  };
  for (const type of types) visit(type);
  return [...ordered];
};

const answerShapes = ({ declarations, methods }: SdkModel): string[][] =>
  partsFirst(
    declarations,
    methods.flatMap(({ result }) => result ?? []),
  ).map((declaration) => shapeLines(declaration, declarations, true));

const inputShapes = ({ inputs, methods }: SdkModel): string[][] => {
  const given = methods.flatMap(({ parameters }) => parameters.map(({ type }) => type));
  return partsFirst(inputs, given).map((declaration) => shapeLines(declaration, inputs));
};

export const RECEIPT = "receipt";

export const RECEIPT_PROMISE = "ApiPromise<string>";

/** The constant of its operation: `spotReceipt`. */
export const receiptOperation = ({ resource }: MethodModel): string => `${resource}Receipt`;

export const receiptRequest = ({ method, path }: MethodModel): string => `${method} ${path}?format=jws`;

/**
 * Those of a resource's methods that have receipts.
 * @throws Error when there are several: their receipts would have one name
 */
export const withReceipts = (methods: readonly MethodModel[]): MethodModel[] => {
  const found = methods.filter(({ hasReceipt }) => hasReceipt);
  if (new Set(found.map(({ resource }) => resource)).size < found.length)
    throw new Error(`${found.map(({ name }) => name).join(" and ")} both have receipts`);
  return found;
};

const receiptOperationLines = (method: MethodModel, operation: string): string[] => [
  ...docComment([receiptRequest(method)]),
  `export const ${receiptOperation(method)} = /* @__PURE__ */ receiptOf(${operation});`,
];

/** The constant of a method's operation: `barsList`. */
export const operationName = ({ resource, action }: MethodModel): string => `${resource}${pascalCase(action)}`;

const kindOf = (type: Type): string => {
  if (type.kind === "nullable") return kindOf(type.of);
  return ["decimal", "instant", "day", "words"].includes(type.kind) ? type.kind : "same";
};

const parameterLines = (parameters: readonly ParameterModel[]): string[] => {
  const shaped = parameters.filter(({ type }) => namesIn(type).length > 0);
  return [
    ...textLines("parameters", parameters.map(({ wireName, type }) => listedName(wireName, kindOf(type))).join(" ")),
    ...(shaped.length === 0
      ? []
      : [`  parts: { ${shaped.map(({ wireName, type }) => `${propertyName(wireName)}: ${shapeOf(type)}`).join(", ")} },`]),
  ];
};

const pagingLines = ({ paging }: MethodModel): string[] => {
  if (!paging) return [];
  const closed = paging.closed === undefined ? "" : `, closed: "${paging.closed}"`;
  return [`  paging: { items: "${paging.items}"${closed} },`];
};

/** The same type as in `decoded`, with declared names resolved to wire types. */
export const wireTypeText = (type: Type | null): string => {
  if (type === null) return "void";
  if (type.kind === "named") return `Wire.${type.name}`;
  if (type.kind === "list") return `readonly ${wireTypeText(type.of)}[]`;
  throw new Error(`an answer of kind ${type.kind} has no name`);
};

/** The response type as the SDK returns it. */
export const resultTypeText = (type: Type | null): string => (type === null ? "void" : typeWriter("decoded", [])(type).text);

export const resultTypes = (type: Type | null): readonly string[] => (type === null ? [] : typeWriter("decoded", [])(type).types);

export const inputTypes = (type: Type): readonly string[] => namesIn(type);

export const pagePromiseText = (page: Type | null, row: Type): string =>
  `PagePromise<${[page, row].flatMap((type) => [resultTypeText(type), wireTypeText(type)]).join(", ")}>`;

const operationLines = (method: MethodModel): string[] => {
  const first = `export const ${operationName(method)}: Operation<${resultTypeText(method.result)}, ${wireTypeText(method.result)}> = {`;
  return [
    ...docComment([`${method.method} ${method.path}`]),
    first,
    `  name: "${method.name}",`,
    `  method: "${method.method}",`,
    `  path: "${method.path}",`,
    ...parameterLines(method.parameters),
    `  result: ${method.result === null ? "null" : shapeOf(method.result)},`,
    ...pagingLines(method),
    ...(method.computes ? ["  computes: true,"] : []),
    ...(method.status === 307 ? ["  redirects: true,"] : []),
    ...(method.isDeprecated
      ? [`  deprecated: { successor: ${method.successor === undefined ? "undefined" : `"${method.successor}"`} },`]
      : []),
    "};",
  ];
};

export const operationsFile = (model: SdkModel): string => {
  const { methods } = model;
  const receipts = withReceipts(methods);
  return fileText(
    "Each method's request and answer, as tables for the core: the fields that become decimals or Dates, then the operations.",
    [
      `import { type Operation, ${receipts.length > 0 ? "receiptOf, " : ""}type Shape } from "../core/operation.ts";`,
      ...importOf(
        methods.flatMap(({ result }) => resultTypes(result)),
        "./types.ts",
      ),
      'import type * as Wire from "./wire.ts";',
    ],
    [
      ...answerShapes(model),
      ...inputShapes(model),
      ...methods.map(operationLines),
      ...receipts.map((method) => receiptOperationLines(method, operationName(method))),
    ],
  );
};
