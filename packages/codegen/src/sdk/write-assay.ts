/** Writes assay.ts, the client with its resources, and index.ts, which exports every generated module. */
import { resourceSentence } from "./describe-method.ts";
import type { SdkModel } from "./model.ts";
import { camelCase, methodsOf, named, paramsName, resourceClass, resourcePath, resourcesOf } from "./names.ts";
import { docComment, fileText, importOf } from "./text.ts";

const EXAMPLE = [
  "@example",
  "  ```ts",
  '  const assay = new Assay({ apiKey: process.env.ASSAY_API_KEY, baseUrl: "https://prices.example.com" });',
  "",
  '  const gold = await assay.spot.get("gold", { include: ["karat"] });',
  "  console.log(gold.price?.toString(), gold.quoteCurrency, gold.priceGram18k?.toString());",
  "",
  '  for await (const bar of assay.bars.list({ symbol: "XAU-USD-SPOT", from: "2026-01-01", to: new Date() })) {',
  "    console.log(bar.barStart, bar.close?.toString());",
  "  }",
  "  ```",
];

export const assayFile = (model: SdkModel): string => {
  const resources = resourcesOf(model);
  return fileText(
    "The client, with a property for each resource.",
    [
      ...importOf(["ClientOptions"], "../core/options.ts"),
      ...importOf(["ListClient"], "../core/pages/list-pages.ts", false),
      ...importOf(["errorRegistry"], "./errors.ts", false),
      ...resources.toSorted().flatMap((resource) => importOf([resourceClass(resource)], `./${resourcePath(resource)}`, false)),
    ],
    [
      [
        ...docComment([
          "A client of an Assay service: precious-metals prices as exact decimals, typed errors, pages and retries.",
          "",
          ...EXAMPLE,
        ]),
        "export class Assay extends ListClient {",
        ...resources.flatMap((resource) => [
          ...docComment([resourceSentence(methodsOf(resource, model))], "  "),
          `  readonly ${camelCase(resource)} = new ${resourceClass(resource)}(this);`,
        ]),
        "",
        ...docComment(
          [
            "@param options settings; each has a default",
            "@throws {TypeError} for an invalid option",
            "@throws {RangeError} when a number is out of range",
            "@throws {AssayError} in a browser, unless `dangerouslyAllowBrowser` is set",
          ],
          "  ",
        ),
        "  constructor(options: ClientOptions = {}) {",
        "    super(options, errorRegistry);",
        "  }",
        "}",
      ],
    ],
  );
};

/** Writes resources/index.ts, which bundles are made from that hold some of them. */
export const resourcesFile = (model: SdkModel): string =>
  fileText(
    "Every resource's class.",
    resourcesOf(model)
      .toSorted()
      .map((resource) => `export { ${resourceClass(resource)} } from "./${resourcePath(resource).replace("resources/", "")}";`),
    [],
  );

export const indexFile = (model: SdkModel): string => {
  const resources = resourcesOf(model).toSorted();
  const withParams = (resource: string): string[] =>
    methodsOf(resource, model)
      .filter((method) => named(method).length > 0)
      .map((method) => `type ${paramsName(method)}`);
  const lines = resources.map((resource) => {
    const names = [`type ${resourceClass(resource)}`, ...withParams(resource)].toSorted();
    return `export type { ${names.map((name) => name.slice("type ".length)).join(", ")} } from "./${resourcePath(resource)}";`;
  });
  return fileText(
    "Everything generated from the contract.",
    [
      'export * from "./assay.ts";',
      'export * from "./errors.ts";',
      'export type * from "./inputs.ts";',
      ...lines,
      'export type * from "./types.ts";',
      'export * from "./values.ts";',
      'export type * as Wire from "./wire.ts";',
    ],
    [],
  );
};
