/** Everything that is made from the contract and kept in the repository, as text by path. */
import { type Contract, contract, DOCUMENTED_URL, ERROR_CODES, pages, type Route } from "@assay/contract";
import { asyncApiDocument } from "./asyncapi/document.ts";
import { errorIndex, errorPage } from "./errors/error-page.ts";
import { openApiDocument } from "./openapi/document.ts";
import { SDK_FOLDER, sdkFiles } from "./sdk/sdk-files.ts";

/** Folders that hold nothing but made files; others found there are of codes that are gone. */
export const MADE_FOLDERS = ["docs/errors", SDK_FOLDER];

const routesOf = (tree: Contract): Route[] => Object.values(tree).flatMap((routes) => Object.values(routes));

/** Every made file: its path from the root of the repository, and its text. The same contract gives the same bytes. */
export const generatedFiles = (): ReadonlyMap<string, string> => {
  const routes = routesOf({ ...contract, ...pages });
  return new Map([
    ["packages/contract/generated/openapi.json", `${JSON.stringify(openApiDocument(DOCUMENTED_URL), null, 2)}\n`],
    ["packages/contract/generated/asyncapi.json", `${JSON.stringify(asyncApiDocument(DOCUMENTED_URL), null, 2)}\n`],
    ["docs/errors/README.md", errorIndex(ERROR_CODES)],
    ...sdkFiles(contract),
    ...ERROR_CODES.map((code): [string, string] => [`docs/errors/${code}.md`, errorPage(code, routes)]),
  ]);
};
