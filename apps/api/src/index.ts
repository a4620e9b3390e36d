/** The API as other apps compose it. */
export { type App, type AppOptions, createApp } from "./app.ts";
export { requireFreeAddress } from "./free-address.ts";
export {
  openSigningKeys,
  readSigningKeyFile,
  replaceSigningKeyFile,
  type SigningKeyPlace,
  signingKeyPlace,
} from "./receipts/signing-key-file.ts";
export { runApi } from "./run.ts";
export { listen } from "./server.ts";
export { type ApiService, type ApiServiceOptions, type BesidePart, type SharedParts, startApi } from "./service.ts";
export { apiOptions } from "./service-options.ts";
export { type AppRouter, createAppRouter, type WireErrorData } from "./trpc.ts";
