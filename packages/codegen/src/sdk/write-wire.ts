/** Writes wire.ts: responses, queries and error bodies in wire form. */
import type { ErrorModel, MethodModel, SdkModel } from "./model.ts";
import { errorClassName, pascalCase } from "./names.ts";
import { docComment, fileText, importOf, sentence } from "./text.ts";
import { declarationLines, fieldsOf, needs, type ObjectWriting, propertyLines } from "./write-objects.ts";
import { typeWriter } from "./write-type.ts";

/** The type name of a code's body. */
export const bodyName = (code: string): string => errorClassName(code).replace(/Error$/, "Body");

/** The type name of a method's parameters on the wire. */
export const queryName = ({ resource, action }: MethodModel): string => `${pascalCase(resource)}${pascalCase(action)}Query`;

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

/** The file. */
export const wireFile = (model: SdkModel): string => {
  const writing: ObjectWriting = {
    form: "wire",
    write: typeWriter("wire", model.values),
    translate: (description) => description,
  };
  const declarations = new Map([...model.declarations, ...model.errorDeclarations]);
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
