/** Ids of the event stream: an epoch, which each new stream raises, and a number that rises by one per event. */

/** An event's position in the stream. */
export interface StreamId {
  readonly epoch: number;
  readonly number: number;
}

/** Before every event. */
export const STREAM_START: StreamId = { epoch: 0, number: 0 };

/** Parses `epoch-number`; the start of the stream when missing. */
export const parseStreamId = (text: string | null): StreamId => {
  const [epoch = "0", number = "0"] = (text ?? "").split("-");
  return { epoch: Number(epoch), number: Number(number) };
};

/** Formats an id for Redis. */
export const formatStreamId = ({ epoch, number }: StreamId): string => `${epoch}-${number}`;

/** Whether an id comes after another. */
export const isAfter = (id: StreamId, other: StreamId): boolean =>
  id.epoch > other.epoch || (id.epoch === other.epoch && id.number > other.number);

/** Whether an id directly follows another. */
export const isNext = (id: StreamId, last: StreamId): boolean => id.epoch === last.epoch && id.number === last.number + 1;
