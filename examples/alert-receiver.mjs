/** Receives the events of alerts: verifies each, and prints it once. */
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { verifyWebhook } from "@assay/sdk/webhooks";

const { WEBHOOK_SECRET = "", PORT = "9000" } = process.env;
const seen = new Set(); // in your database: the same event may arrive twice

createServer(async (request, response) => {
  try {
    const event = await verifyWebhook(await text(request), request.headers, WEBHOOK_SECRET);
    const id = request.headers["webhook-id"];
    if (!seen.has(id)) console.log(JSON.stringify(event));
    seen.add(id);
    response.writeHead(204).end();
  } catch (error) {
    console.error(String(error));
    response.writeHead(400).end();
  }
}).listen(Number(PORT), "127.0.0.1", () => console.error(`listening on ${PORT}`));
