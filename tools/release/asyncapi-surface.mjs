/** What clients rely on in an AsyncAPI document, channel by channel: frames both ways, close codes, names and limits. */
import { resolver } from "./resolve.mjs";

const REQUEST = "receive";

/** Messages of a channel by direction: those of its operations, and their replies the other way. */
const messagesOf = (document, resolve, channelKey) => {
  const requests = new Map();
  const answers = new Map();
  const take = (into, { channel, messages = [] }) => {
    if (channel.$ref !== `#/channels/${channelKey}`) return;
    for (const { $ref } of messages) {
      const { name, payload } = resolve({ $ref });
      into.set(name, payload);
    }
  };
  for (const operation of Object.values(document.operations)) {
    const isRequest = operation.action === REQUEST;
    take(isRequest ? requests : answers, operation);
    if (operation.reply) take(isRequest ? answers : requests, operation.reply);
  }
  return { requests: Object.fromEntries(requests), answers: Object.fromEntries(answers) };
};

const closeCode = ({ close, error, reconnect }) => `${close} ${error}, ${reconnect ? "reconnect" : "do not reconnect"}`;

const channelOf = (document, resolve, key, channel) => {
  const { requests, answers } = messagesOf(document, resolve, key);
  const events = Object.entries(channel["x-sse-events"] ?? {});
  const schemes = (channel.servers ?? []).flatMap(({ $ref }) =>
    (resolve({ $ref }).security ?? []).map(({ type, scheme, name }) => scheme ?? name ?? type),
  );
  return {
    callers: schemes,
    takes: Object.keys(requests),
    frames: [...Object.keys(answers), ...events.map(([name, event]) => `${name} as the event ${event ?? "message"}`)],
    closes: (channel["x-close-codes"] ?? []).map(closeCode),
    names: channel["x-names"] ?? [],
    limits: channel["x-limits"] ?? {},
    requests,
    answers,
  };
};

/** The channels of a document, by address. */
export const asyncApiSurface = (document) => {
  const resolve = resolver(document);
  const channels = Object.entries(document.channels);
  return new Map(channels.map(([key, channel]) => [`frames of ${channel.address}`, channelOf(document, resolve, key, channel)]));
};
