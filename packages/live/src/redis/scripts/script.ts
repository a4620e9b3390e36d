/** How a Lua script is declared. Each runs atomically in Redis, by the Redis server's time. */
import { type CommandParser, defineScript } from "@redis/client";

/** Declares a script and how its reply is parsed. The number of keys varies, so it is sent with them. */
export const script = <Reply>(lua: string, read: (reply: never) => Reply) =>
  defineScript({
    SCRIPT: lua,
    parseCommand(parser: CommandParser, names: readonly string[], values: readonly (string | number)[]) {
      parser.push(String(names.length));
      for (const name of names) parser.pushKey(name);
      for (const value of values) parser.push(String(value));
    },
    transformReply: (reply: unknown): Reply => read(reply as never), // the reply is the script's return value
  });

/** A boolean: scripts return 1 or 0. */
export const yes = (reply: number): boolean => reply === 1;
