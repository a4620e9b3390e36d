/** The socket of a session: `ws`, with its own closes for broken frames left to the session. */
import { WebSocket } from "ws";

/** Close codes `ws` uses by itself when what it receives is no valid frame: protocol, encoding, policy, size. */
const FAULTS: ReadonlySet<number> = new Set([1002, 1007, 1008, 1009]);

/** A WebSocket whose reader's faults are told before it is closed. */
export class SessionSocket extends WebSocket {
  /** Called once instead of the close `ws` would do. */
  onFault: (() => void) | null = null;

  override close(code?: number, data?: string | Buffer): void {
    const { onFault } = this;
    if (code !== undefined && FAULTS.has(code) && onFault) {
      this.onFault = null;
      onFault();
      return;
    }
    super.close(code, data);
  }
}
