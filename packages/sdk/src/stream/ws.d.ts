/** What is used of `ws`; its full types would bring those of Node into a package that runs elsewhere as well. */
export declare class WebSocket {
  constructor(url: string, options?: object);
}
