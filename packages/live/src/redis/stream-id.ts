/** Ids of the event stream: an epoch, which a new stream raises, and a number that rises by one per event. */

/** Where an event stands in the stream. */
export interface StreamId {
  readonly epoch: number;
  readonly number: number;
}

/** Before every event. */
export const STREAM_START: StreamId = { epoch: 0, number: 0 };

/** Reads `epoch-number`; the start of the stream when there is none. */
export const parseStreamId = (text: string | null): StreamId => {
  const [epoch = "0", number = "0"] = (text ?? "").split("-");
  return { epoch: Number(epoch), number: Number(number) };
};

/** Writes an id as Redis has it. */
export const formatStreamId = ({ epoch, number }: StreamId): string => `${epoch}-${number}`;

/** Whether an id stands after another. */
export const isAfter = (id: StreamId, other: StreamId): boolean =>
  id.epoch > other.epoch || (id.epoch === other.epoch && id.number > other.number);

/** Whether an id is the very next one. */
export const isNext = (id: StreamId, last: StreamId): boolean => id.epoch === last.epoch && id.number === last.number + 1;
