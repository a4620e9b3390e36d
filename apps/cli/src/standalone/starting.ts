/**
 * The port of a service that is starting: it is held, so that no other program takes it, and says that the process lives while the
 * database is opened, the past is made, or Redis is waited for.
 */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import { contract, refusalBody, refused } from "@assay/contract";
import { type Listening, type ListenOptions, listenOn, requestIdOf } from "@assay/process";
import { HEALTH } from "@assay/services";

const { method, path } = contract.system.health;
const STARTING = refused("service_unavailable", { message: "The service is starting." });
const RETRY_SECONDS = "1";

const answer = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
  const requestId = requestIdOf(incoming);
  const isHealth = incoming.url?.split("?", 1)[0] === path && [method, "HEAD"].includes(incoming.method ?? "");
  const status = isHealth ? 200 : 503;
  const body = isHealth ? HEALTH : JSON.stringify(refusalBody(STARTING, requestId));
  outgoing
    .writeHead(status, STATUS_CODES[status], {
      "Content-Type": "application/json",
      "Content-Length": Buffer.byteLength(body),
      "Cache-Control": "no-store",
      "X-Request-Id": requestId,
      // The service itself listens anew.
      Connection: "close",
      ...(isHealth ? {} : { "Retry-After": RETRY_SECONDS }),
    })
    .end(body);
};

/**
 * Listens until the service does.
 * @throws AddressError when the address is unavailable
 */
export const answerWhileStarting = ({ host, port, maxPipelined, readiness }: ListenOptions): Promise<Listening> =>
  listenOn((create, options) => create(options, answer), { host, port, maxPipelined, readiness });
