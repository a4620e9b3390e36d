/** A look at an address before long work that ends in listening on it. */
import { createServer } from "node:net";

/**
 * Finds out whether an address can be listened on, by doing so for a moment.
 * @param port 0 is always free
 * @throws the system's error when it cannot be had
 */
export const requireFreeAddress = (host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(port, host, () => server.close(() => resolve()));
  });
