/** Every generated file of the SDK: text by path. */
import { type Contract, VERSION } from "@assay/contract";
import { resourcePath } from "./method-names.ts";
import { readContract } from "./read-contract.ts";
import { apiPage } from "./write-api-page.ts";
import { assayFile, indexFile, resourcesOf } from "./write-assay.ts";
import { codesFile } from "./write-codes.ts";
import { errorsFile } from "./write-errors.ts";
import { mocksFile } from "./write-mocks.ts";
import { operationsFile } from "./write-operations.ts";
import { resourceFile } from "./write-resource.ts";
import { routerFile } from "./write-router.ts";
import { shapesFile } from "./write-shapes.ts";
import { streamFile } from "./write-stream.ts";
import { typesFile } from "./write-types.ts";
import { valuesFile } from "./write-values.ts";
import { wireFile } from "./write-wire.ts";

/** The folder that holds only generated files. */
export const SDK_FOLDER = "packages/sdk/src/generated";

/**
 * Generates the SDK of a contract. The same contract gives the same bytes.
 * @param contract the routes
 * @returns texts by path from the repository root
 */
export const sdkFiles = (contract: Contract): ReadonlyMap<string, string> => {
  const model = readContract(contract, VERSION);
  const files: [string, string][] = [
    ["assay.ts", assayFile(model)],
    ["codes.ts", codesFile(model)],
    ["errors.ts", errorsFile(model)],
    ["index.ts", indexFile(model)],
    ["mocks.ts", mocksFile(model)],
    ["operations.ts", operationsFile(model)],
    ["router.ts", routerFile(model)],
    ["shapes.ts", shapesFile(model)],
    ["stream.ts", streamFile(model)],
    ["types.ts", typesFile(model)],
    ["values.ts", valuesFile(model)],
    ["wire.ts", wireFile(model)],
    ...resourcesOf(model).map((resource): [string, string] => [resourcePath(resource), resourceFile(resource, model)]),
  ];
  return new Map([
    ...files.map(([name, text]): [string, string] => [`${SDK_FOLDER}/${name}`, text]),
    ["packages/sdk/api.md", apiPage(model)],
  ]);
};
