/**
 * How a Lua script is declared, and what every script of counts begins with. Each runs atomically in Redis, by its server's
 * time.
 */
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

/**
 * What a count is of. A count may be unreadable: a key of another type, a text that is no number, a window without an end. It is
 * removed when it is met, as if Redis had lost it, and the other counts of the script are not affected. The name of its key says whose
 * it is, and is not logged.
 */
type CountKind = "window" | "month" | "unsettled calls" | "settlements";

/** What a script of counts returns, and which counts it found unreadable. */
export interface Counted<Value> {
  readonly value: Value;
  readonly unreadable: readonly CountKind[];
}

/** More digits than a count has; Lua's numbers and those of Redis are exact up to here. */
const MOST_DIGITS = 15;

const READABLE = `local unreadable = {}
local function drop(kind, ...)
  unreadable[#unreadable + 1] = kind
  redis.call(...)
end
local function whole(text)
  if not text then return 0 end
  return #text <= ${MOST_DIGITS} and string.match(text, '^%-?%d+$') and tonumber(text) or nil
end
local function call(kind, command, name, field, ...)
  local reply
  if field then reply = redis.pcall(command, name, field, ...) else reply = redis.pcall(command, name) end
  if type(reply) ~= 'table' or not reply.err then return reply end
  local isNoNumber = string.find(reply.err, 'not an integer', 1, true) or string.find(reply.err, 'overflow', 1, true)
  if isNoNumber and field then drop(kind, 'HDEL', name, field)
  elseif isNoNumber or string.find(reply.err, 'WRONGTYPE', 1, true) then drop(kind, 'DEL', name) end
  if field then return redis.call(command, name, field, ...) else return redis.call(command, name) end
end
local function readWindow(name, length)
  local text, left = call('window', 'GET', name), redis.call('PTTL', name)
  if not text then return 0, tonumber(length) end
  local used = whole(text)
  if used and used >= 0 and left >= 0 then return used, left end
  drop('window', 'DEL', name)
  return 0, tonumber(length)
end
local function readMonth(name, day)
  local counts = call('month', 'HMGET', name, 'month', day, 'seeded')
  local month, today = whole(counts[1]), whole(counts[2])
  if month and today then return month, today, counts[3] or '' end
  drop('month', 'DEL', name)
  return 0, 0, ''
end
local function readMoved(name)
  local moved = whole(call('settlements', 'GET', name))
  if moved then return moved end
  drop('settlements', 'DEL', name)
  return 0
end
`;

export const countScript = <Reply, Value>(lua: string, read: (reply: Reply) => Value) =>
  script(
    `${READABLE}local function answer()
${lua}
end
local reply = answer()
return { unreadable, reply }`,
    ([unreadable, reply]: [CountKind[], Reply]): Counted<Value> => ({ value: read(reply), unreadable }),
  );
