/** The socket of a session: `ws`, but with its automatic closes on invalid frames left to the session. */
import { WebSocket } from "ws";

/** Close codes `ws` uses on its own when it receives an invalid frame: protocol, encoding, policy, size. */
const FAULTS: ReadonlySet<number> = new Set([1002, 1007, 1008, 1009]);

/** A WebSocket whose frame errors are reported before it is closed. */
export class SessionSocket extends WebSocket {
  /** Called once instead of the close by `ws`. */
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
