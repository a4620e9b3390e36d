/** Reference: Bun's server that publishes every tick to a topic; runs in Bun. */
import { broadcasting, nextTickText } from "../streams/broadcaster.ts";

/** What is used of Bun's interface. */
interface BunSocket {
  subscribe(topic: string): void;
}
interface BunServer {
  readonly port: number;
  upgrade(request: Request): boolean;
  publish(topic: string, text: string): number;
}
interface BunRuntime {
  serve(options: {
    readonly port: number;
    readonly hostname: string;
    fetch(request: Request, server: BunServer): Response | undefined;
    readonly websocket: { open(socket: BunSocket): void; message(): void; readonly perMessageDeflate: boolean };
  }): BunServer;
}

const TOPIC = "ticks";

/** Starts it. */
export const start = () => {
  const { Bun } = globalThis as unknown as { Bun: BunRuntime }; // this part is started by Bun alone
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request, self) => (self.upgrade(request) ? undefined : new Response("upgrade", { status: 426 })),
    websocket: { open: (socket) => socket.subscribe(TOPIC), message: () => undefined, perMessageDeflate: false },
  });
  const run = broadcasting((perFlush) => {
    for (let index = 0; index < perFlush; index += 1) server.publish(TOPIC, nextTickText());
  });
  return { ready: { port: server.port, key: "" }, run };
};
