/** What is made from the contract as text. */
export { SDK_FOLDER, sdkFiles } from "./sdk/sdk-files.ts";
