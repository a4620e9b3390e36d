/** The HTTP application: REST, tRPC and the documents over one set of verbs. */
import type { Archives } from "@assay/archives";
import { contract } from "@assay/contract";
import { clientAddress, type ObserveRequest, requestIdOf } from "@assay/process";
import { Authenticator, createVerbs, Limits, type ServiceDeps } from "@assay/services";
import { Hono } from "hono";
import { archiveLinks } from "./archives/archive-links.ts";
import { archiveDoor } from "./archives/serve-archive.ts";
import { mountDocuments } from "./documents.ts";
import { type Env, faultResponse, mount, prepare, type RouteDoor } from "./http/mount.ts";
import { trpcDoor } from "./http/trpc-door.ts";

/** What the application needs besides the engines. */
export interface AppOptions extends Omit<ServiceDeps, "archives"> {
  readonly archives: Archives;
  /** Signs links to archives of the file store. */
  readonly archiveSecret: string;
  /** Base of absolute links; called when the first document is built, as the port may be known only after listening. */
  readonly publicUrl: () => string;
  /** Proxies whose X-Forwarded-For is trusted. */
  readonly trustProxy: readonly string[];
  /** Signs page cursors. */
  readonly cursorSecret: string;
  /** Counts requests, when metrics are enabled. */
  readonly observe?: ObserveRequest;
}

/** The application and the parts of it that receive events. */
export interface App {
  /** tRPC, documents and archives, and what is answered to unknown paths. */
  readonly hono: Hono<Env>;
  /** The contract's routes. */
  readonly door: RouteDoor;
  readonly authenticator: Authenticator;
  readonly limits: Limits;
}

/** Assembles the application. */
export const createApp = (options: AppOptions): App => {
  const { log } = options;
  const authenticator = new Authenticator(options);
  const limits = new Limits(options);
  const { archives, archiveSecret: secret, clock, publicUrl } = options;
  const verbs = createVerbs(
    { ...options, archives: archiveLinks(archives, secret, publicUrl) },
    { authenticator, limits, cursorSecret: options.cursorSecret },
  );
  const routes = prepare(contract, verbs, { ...options, authenticator, limits }, options.observe);
  const addressOf = clientAddress(options.trustProxy);
  const fault = (error: unknown, requestId: string): void => log.error({ err: error, requestId }, "a request failed");

  const hono = new Hono<Env>();
  const door = mount(hono, routes, addressOf, fault);
  hono.all("/trpc/*", trpcDoor({ routes, addressOf, limits, clock, onFault: fault }));
  if (archives.kind === "file" && !options.disabled.has("download")) {
    hono.all("/archives/*", archiveDoor({ directory: archives.directory, secret, clock, log }));
  }
  mountDocuments(hono, options);
  hono.onError((error, { env }) => {
    const requestId = requestIdOf(env.incoming);
    fault(error, requestId);
    return faultResponse(requestId);
  });
  return { hono, door, authenticator, limits };
};
