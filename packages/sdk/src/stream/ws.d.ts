/** The parts used of `ws`; its full types would pull Node's into a package that also runs elsewhere. */
export declare class WebSocket {
  constructor(url: string, options?: object);
}
