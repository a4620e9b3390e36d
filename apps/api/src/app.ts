/** The HTTP application: REST, tRPC and the documents over one set of verbs. */
import type { Archives } from "@assay/archives";
import { contract, pages } from "@assay/contract";
import { clientAddress, requestIdOf, type Telemetry } from "@assay/process";
import {
  Authenticator,
  createPageVerbs,
  createVerbs,
  Limits,
  marketMode,
  receiptSigner,
  requireMcp,
  type ServiceDeps,
  type SigningKeyRing,
  type TransportGate,
} from "@assay/services";
import type { Hono } from "hono";
import { archiveDoor, archiveLinks } from "./archives.ts";
import { CONSOLE_FOLDER, mountConsole, readConsole } from "./console.ts";
import { mountDocuments, openDocuments } from "./documents/library.ts";
import { createHono } from "./http/application.ts";
import { mount } from "./http/rest-door.ts";
import { prepare, routeOf } from "./http/routes.ts";
import { type Env, faultResponse } from "./http/send.ts";
import { lightCounter } from "./http/windows.ts";
import { mcpDoor } from "./mcp/mcp-door.ts";
import { trpcDoor } from "./trpc/trpc-door.ts";
import { mountUdf } from "./udf/udf-door.ts";

/** What the application needs besides the engines. */
export interface AppOptions extends Omit<ServiceDeps, "archives"> {
  readonly archives: Archives;
  /** Signs links to archives of the file store. */
  readonly archiveSecret: string;
  /** Base of absolute links; called when the first document is built, as the port may be known only after listening. */
  readonly publicUrl: () => string;
  /** Proxies whose X-Forwarded-For is trusted. */
  readonly trustProxy: readonly string[];
  /** How long after its last use a key is trusted while the database does not respond. */
  readonly keyGraceMs: number;
  /** Signs page cursors. */
  readonly cursorSecret: string;
  /** The console's build; by default where `apps/console` puts it. */
  readonly consoleFolder?: string;
  /** Origins whose pages may frame the embedded price; by default none. */
  readonly embedOrigins?: readonly string[];
  readonly signingKeys: SigningKeyRing;
  /** Watches the routes; by default no one does. */
  readonly telemetry?: Telemetry;
}

/** The application and the parts of it that receive events. */
export interface App {
  readonly hono: Hono<Env>;
  readonly authenticator: Authenticator;
  readonly limits: Limits;
  /** Whether the console is built, and served at `/`. */
  readonly hasConsole: boolean;
}

export const createApp = (options: AppOptions): App => {
  const { log } = options;
  const authenticator = new Authenticator(options);
  const limits = new Limits(options);
  const { archives, archiveSecret: secret, clock, publicUrl } = options;
  const deps = { ...options, archives: archiveLinks(archives, secret, publicUrl) };
  const { cursorSecret, signingKeys } = options;
  const verbs = createVerbs(deps, { authenticator, limits, cursorSecret, signingKeys });
  const watchRoute = options.telemetry?.watchRoute;
  const signReceipt = receiptSigner(signingKeys, publicUrl, marketMode(options.live));
  const pipeline = { ...options, authenticator, limits, signReceipt };
  const pageParts = { embedOrigins: options.embedOrigins ?? [], signingKeys };
  const routes = prepare(contract, verbs, pipeline, watchRoute);
  const pageRoutes = prepare(pages, createPageVerbs(deps, pageParts), pipeline, watchRoute);
  const addressOf = clientAddress(options.trustProxy);
  const fault = (error: unknown, requestId: string): void => log.error({ err: error, requestId }, "a request failed");

  const hono = createHono();
  mount(hono, { ...routes, ...pageRoutes }, { addressOf, publicUrl });
  const countLight = lightCounter(limits, clock);
  hono.all("/trpc/*", trpcDoor({ routes, addressOf, countLight, onFault: fault }));
  if (archives.kind === "file" && !options.disabled.has("download")) {
    hono.all("/archives/*", archiveDoor({ directory: archives.directory, secret, clock, log }));
  }
  const consoleFiles = readConsole(options.consoleFolder ?? CONSOLE_FOLDER);
  const hasConsole = consoleFiles !== null;
  mountConsole(hono, consoleFiles);
  const documents = openDocuments({ ...options, hasConsole });
  mountDocuments(hono, documents);
  const { catalog } = options;
  const requireAgents: TransportGate = (caller, fail) => requireMcp(catalog, caller, fail);
  const agentRoutes = () => prepare(contract, verbs, pipeline, watchRoute, requireAgents);
  hono.all("/mcp", mcpDoor({ routes: agentRoutes, addressOf, documents, publicUrl, countLight, onFault: fault }));
  mountUdf(hono, { listBars: routeOf(routes, "bars", "list").invoke, addressOf, countLight, clock });
  hono.onError((error, { env }) => {
    const requestId = requestIdOf(env.incoming);
    fault(error, requestId);
    return faultResponse(requestId);
  });
  return { hono, authenticator, limits, hasConsole };
};
