/** Serves the console at `/`: its page, and the files that page loads. */
import { refused } from "@assay/contract";
import type { Context, Hono } from "hono";
import type { EncodedDocument } from "../documents/encoded-document.ts";
import { respond } from "../documents/respond.ts";
import { type Env, refuse } from "../http/mount.ts";
import { CONSOLE_PATHS } from "./console-files.ts";

/** All the page needs are files of this service: no inline script or style, no request to another host, no framing. */
const POLICY = [
  "default-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const NOT_BUILT = "The console is not built: run `npm run build`. The API is under /v1, its documents at /docs.";

/**
 * Mounts the console. Its paths are known beforehand: any other is answered like every unknown path.
 * @param files what is served; null when the console is not built, which its paths then say
 */
export const mountConsole = (app: Hono<Env>, files: ReadonlyMap<string, EncodedDocument> | null): void => {
  const answer = ({ req, env: { incoming } }: Context<Env>): Response | Promise<Response> => {
    const document = files?.get(req.path);
    if (!document) return refuse(incoming, refused("not_found", files ? {} : { message: NOT_BUILT }));
    if (req.method !== "GET" && req.method !== "HEAD") {
      return refuse(incoming, refused("method_not_allowed"), { Allow: "GET, HEAD" });
    }
    return respond(document, incoming, POLICY);
  };
  for (const path of files?.keys() ?? CONSOLE_PATHS) app.all(path, answer);
};
