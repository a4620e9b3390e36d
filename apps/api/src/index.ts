/** The API as other apps compose it. */

export { type App, type AppOptions, createApp } from "./app.ts";
export { apiRole, prepareApi } from "./role.ts";
export { listen } from "./server.ts";
export { type ApiService, type ApiServiceOptions, type FrontPart, type SharedParts, startApi } from "./service.ts";
export {
  readSigningKeyFile,
  replaceSigningKeyFile,
  type SigningKeyPlace,
  signingKeyPlace,
} from "./signing-key-file.ts";
export { type AppRouter, createAppRouter, type WireErrorData } from "./trpc/router.ts";
