/** What is made from the contract as text. */
export { type AsyncApiDocument, asyncApiDocument } from "./asyncapi/document.ts";
export { SDK_FOLDER, sdkFiles } from "./sdk/sdk-files.ts";
