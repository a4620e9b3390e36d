/** Real receivers, good and hostile: what is reached, how long it may take, and what is made of its answer. */
import { createServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { LOOPBACK } from "../testing/loopback.ts";
import { discreet, openReceivers, type PostResult, type ReceiverOptions } from "./receiver.ts";

const servers: { close(): unknown; closeAllConnections?(): void }[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections?.();
    server.close();
  }
});

const portOf = async (server: Server | ReturnType<typeof createTcpServer>, host = "127.0.0.1"): Promise<number> => {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return (server.address() as AddressInfo).port; // it listens on a port
};

const receiver = async (listener: RequestListener): Promise<string> =>
  `http://127.0.0.1:${await portOf(createServer(listener))}/hook?a=b`;

const NEVER = new AbortController().signal;

const send = (url: string, options: Partial<ReceiverOptions> = {}): Promise<PostResult> =>
  openReceivers({ hosts: LOOPBACK, timeoutMs: 400, ...options })({ url, headers: { "webhook-id": "msg_1" }, body: "{}" }, NEVER);

/** A receiver of which only the status matters. */
const answering = (status: number, headers: Record<string, string> = {}): Promise<string> =>
  receiver((_, response) => {
    response.writeHead(status, headers).end("private");
  });

describe("a receiver", () => {
  test("is sent the exact text and headers, at the path and query of its URL", async () => {
    const seen: unknown[] = [];
    const url = await receiver((request, response) => {
      request.setEncoding("utf8").on("data", (body: string) => {
        seen.push([request.method, request.url, request.headers["webhook-id"], body]);
        response.writeHead(204).end();
      });
    });
    expect(await send(url)).toEqual({ httpStatus: 204 });
    expect(seen).toEqual([["POST", "/hook?a=b", "msg_1", "{}"]]);
  });

  test.each([200, 400, 410, 500])("that answers %d is reported with it", async (status) => {
    expect(await send(await answering(status))).toEqual({ httpStatus: status });
  });

  test("that redirects is not followed", async () => {
    let isReached = false;
    const other = await receiver((_, response) => {
      isReached = true;
      response.end();
    });
    expect(await send(await answering(301, { location: other }))).toEqual({ httpStatus: 301 });
    expect(isReached).toBe(false);
  });

  test("that hangs is given up in time", async () => {
    expect(await send(await receiver(() => undefined))).toEqual({ fault: "timeout" });
  });

  test("that sends its head a byte at a time is given up in time", async () => {
    const timers: NodeJS.Timeout[] = [];
    const server = createTcpServer((socket) => {
      const bytes = [..."HTTP/1.1 200 OK\r\n", ..."x-slow: 1\r\n".repeat(99)];
      socket.on("error", () => undefined);
      timers.push(setInterval(() => socket.write(bytes.shift() ?? ""), 20));
    });
    expect(await send(`http://127.0.0.1:${await portOf(server)}/`)).toEqual({ fault: "timeout" });
    for (const timer of timers) clearInterval(timer);
  });

  test("that sends its body a byte at a time has answered by its head, and is let go in time", async () => {
    const timers: NodeJS.Timeout[] = [];
    const url = await receiver((_, response) => {
      response.writeHead(200).write("a");
      timers.push(setInterval(() => response.write("a"), 20));
    });
    expect(await send(url)).toEqual({ httpStatus: 200 });
    for (const timer of timers) clearInterval(timer);
  });

  test("that answers with megabytes is cut off after a few kilobytes", async () => {
    let sentBytes = 0;
    let isCut = false;
    const url = await receiver((_, response) => {
      response.writeHead(200);
      response.on("close", () => {
        isCut = true;
      });
      const push = (): void => {
        while (!response.destroyed && sentBytes < 64_000_000) {
          sentBytes += 65_536;
          if (!response.write(Buffer.alloc(65_536))) {
            response.once("drain", push);
            return;
          }
        }
      };
      push();
    });
    expect(await send(url)).toEqual({ httpStatus: 200 });
    await expect.poll(() => isCut).toBe(true);
    expect(sentBytes).toBeLessThan(16_000_000);
  });

  test("that hangs up, speaks no HTTP or floods its head has not answered", async () => {
    const hangsUp = await portOf(createTcpServer((socket) => socket.destroy()));
    expect(await send(`http://127.0.0.1:${hangsUp}/`)).toEqual({ fault: "closed" });
    const speaks = async (text: string): Promise<PostResult> => {
      const server = createTcpServer((socket) => socket.on("error", () => undefined).end(text));
      return send(`http://127.0.0.1:${await portOf(server)}/`);
    };
    expect(await speaks("SSH-2.0-OpenSSH_9.2\r\n")).toEqual({ fault: "closed" });
    expect(await speaks(`HTTP/1.1 200 OK\r\n${"x: y\r\n".repeat(20_000)}\r\n`)).toEqual({ fault: "closed" });
  });

  test("that is not there, or has no certificate, is reported as such", async () => {
    const port = await portOf(createServer());
    await new Promise((resolve) => (servers.pop() as Server).close(resolve)); // the one just made
    expect(await send(`http://127.0.0.1:${port}/`)).toEqual({ fault: "refused" });
    const plain = await answering(200);
    expect(await send(plain.replace("http:", "https:"))).toEqual({ fault: "tls" });
  });

  test("is not waited for once the process leaves", async () => {
    const leaving = new AbortController();
    const url = await receiver(() => leaving.abort());
    expect(await openReceivers({ hosts: LOOPBACK })({ url, headers: {}, body: "{}" }, leaving.signal)).toBeNull();
  });
});

test("of the operator's own receivers nothing is said but whether they took an event, and of other ports of theirs nothing is reached", async () => {
  const refused = await answering(404);
  const { origin, port } = new URL(refused);
  const hosts = new Set([origin]);
  const sent = (url: string) =>
    discreet(openReceivers({ hosts, timeoutMs: 400 }), hosts)({ url, headers: {}, body: "{}" }, NEVER);
  expect(await sent(refused)).toEqual({ fault: "failed" });
  expect(await sent(await answering(204))).toEqual({ fault: "address" });
  expect(await sent(`https://127.0.0.1:${port}/`)).toEqual({ fault: "address" });
  hosts.add(new URL(await answering(204)).origin);
  for (const own of [...hosts].slice(1)) expect(await sent(own)).toEqual({ httpStatus: 204 });
});

describe("nothing inside is reached", () => {
  test.each([
    "https://127.0.0.1/",
    "https://2130706433/",
    "https://0x7f.1/",
    "https://0.0.0.0/",
    "https://10.1.2.3/",
    "https://172.16.0.1/",
    "https://192.168.1.1/",
    "https://169.254.169.254/latest/meta-data/",
    "https://100.100.100.200/latest/meta-data/",
    "https://224.0.0.1/",
    "https://255.255.255.255/",
    "https://[::]/",
    "https://[::1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:a9fe:a9fe]/",
    "https://[64:ff9b::7f00:1]/",
    "https://[64:ff9b::a9fe:a9fe]/",
    "https://[2002:7f00:1::]/",
    "https://[fd00:ec2::254]/",
    "https://[fe80::1]/",
    "https://[ff02::1]/",
  ])("by the address %s", async (url) => {
    expect(await send(url, { hosts: new Set() })).toEqual({ fault: "address" });
  });

  test.each([[["127.0.0.1"]], [["::ffff:169.254.169.254"]], [["93.184.216.34", "10.0.0.1"]], [["fd00:ec2::254"]]])(
    "by a name that has the address %j",
    async (addresses) => {
      const resolve = async () => addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
      expect(await send("https://receiver.example/", { resolve })).toEqual({ fault: "address" });
    },
  );

  test("by a name that has another address at the second look-up: there is none, and the first is connected to", async () => {
    const reached: string[] = [];
    const listen = (host: string, port: number): Promise<number> =>
      new Promise((resolve) => {
        const server = createTcpServer((socket) => {
          reached.push(host);
          socket.destroy();
        });
        servers.push(server);
        server.listen(port, host, () => resolve((server.address() as AddressInfo).port)); // it listens on a port
      });
    const port = await listen("127.0.0.1", 0);
    await listen("127.0.0.2", port);
    let lookUps = 0;
    const resolve = async () => {
      lookUps += 1;
      return [{ address: lookUps === 1 ? "127.0.0.1" : "127.0.0.2", family: 4 }];
    };
    await send(`https://rebinding.example:${port}/`, {
      hosts: new Set(),
      resolve,
      isAllowed: (address) => address === "127.0.0.1",
    });
    expect(reached).toEqual(["127.0.0.1"]);
    expect(lookUps).toBe(1);
  });

  test("over http, unless the operator names the host", async () => {
    const url = await answering(200);
    expect(await send(url, { hosts: new Set(), isAllowed: () => true })).toEqual({ fault: "address" });
  });

  test("by a name without an address", async () => {
    const resolve = async (): Promise<never> => Promise.reject(new Error("NXDOMAIN"));
    expect(await send("https://receiver.example/", { resolve })).toEqual({ fault: "dns" });
    expect(await send("https://receiver.example/", { resolve: async () => [] })).toEqual({ fault: "dns" });
  });
});
