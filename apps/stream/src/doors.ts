/** What the streams answer on their port: SSE, WebSocket handshakes, and the document that describes them. */
import { STREAM_LIMITS, type TierCatalog } from "@assay/contract";
import type { Log } from "@assay/live";
import type { Clock } from "@assay/ports";
import { clientAddress, type FrontHandlers, requestIdOf } from "@assay/process";
import type { Authenticator, Limits, PipelineDeps } from "@assay/services";
import { asyncApi, isDocumentPath } from "./plain-http.ts";
import type { StreamDeps } from "./session/stream-connection.ts";
import { isSsePath, sseDoor } from "./sse/door.ts";
import { opener } from "./sse/opening.ts";
import { admitter, isForeign } from "./ws/admit.ts";
import { Session } from "./ws/session.ts";
import { isStreamPath, refusePlain, upgrader } from "./ws/upgrade.ts";

export interface DoorOptions {
  readonly authenticator: Authenticator;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly log: Log;
  readonly catalog: TierCatalog;
  readonly trustProxy: readonly string[];
  /** Base of absolute links; called when the document is built, as the port may be known only after listening. */
  readonly publicUrl: () => string;
}

/** The pipeline of this process's routes: none of them can be disabled, and none is deprecated. */
export const pipelineOf = ({
  authenticator,
  limits,
  clock,
  log,
}: Pick<DoorOptions, "authenticator" | "limits" | "clock" | "log">): PipelineDeps => ({
  authenticator,
  limits,
  clock,
  log,
  disabled: new Set(),
  historySunset: null,
});

export const openDoors = (options: DoorOptions, deps: StreamDeps, isDraining: () => boolean): FrontHandlers => {
  const { authenticator, limits, clock, catalog, trustProxy, publicUrl } = options;
  const { places, timing } = deps;
  const addressOf = clientAddress(trustProxy);
  const admit = admitter({ authenticator, limits, catalog, places, clock });
  const sessionDeps = { ...deps, admit, catalog, maxSymbols: STREAM_LIMITS.maxSymbols };
  const sse = sseDoor(deps, opener({ ...pipelineOf(options), catalog, places, trustProxy }), isDraining);
  const document = asyncApi(publicUrl);
  return {
    request: (incoming, response) => {
      if (sse.isBehindStream(incoming)) incoming.socket.destroy();
      else if (isSsePath(incoming)) sse.answer(incoming, response);
      else if (isStreamPath(incoming)) refusePlain(incoming, response);
      else if (isDocumentPath(incoming)) document(incoming, response);
      else return false;
      return true;
    },
    upgrade: upgrader(timing.closeWithinMs, isDraining, (ws, socket, incoming) => {
      const peer = { ip: addressOf(incoming), isForeign: isForeign(incoming, publicUrl()) };
      return new Session(sessionDeps, ws, socket, peer, requestIdOf(incoming));
    }),
  };
};
