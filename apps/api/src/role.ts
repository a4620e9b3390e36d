/** `assay api`: one API process over the shared engines. */
import { COMMIT, type Engines, type ProcessParts, type Role } from "@assay/process";
import { type ApiService, type ApiServiceOptions, startApi } from "./service.ts";
import { openSigningKeys, signingKeyPlace } from "./signing-key-file.ts";

/** An API whose signing keys are read. */
export interface PreparedApi {
  start(engines: Engines, shared?: Pick<ApiServiceOptions, "front">): Promise<ApiService>;
}

/**
 * Reads the signing keys of an API.
 * @throws SettingError when they cannot be used
 */
export const prepareApi = async ({ settings, log, clock, random, lifecycle, telemetry }: ProcessParts): Promise<PreparedApi> => {
  const isOneOfMany = settings.redisUrl !== undefined;
  const signingKeys = await openSigningKeys(signingKeyPlace(settings), { clock, log, isOneOfMany });
  return {
    start: async (engines, shared) => {
      const api = await startApi({
        ...settings,
        commit: COMMIT,
        ...engines,
        ...shared,
        clock,
        random,
        log,
        signingKeys,
        telemetry,
      });
      lifecycle.add("the API", () => api.close(settings.drainMs));
      return api;
    },
  };
};

export const apiRole: Role = { name: "api", serves: true, prepare: prepareApi };
