/**
 * How a simulated hour is split into seconds: one tree, shared by all hours of all paths.
 *
 * Its nodes are stored in one pre-order list: each node, its left part, its right part. So filling an hour is one pass over the
 * list, and skipping a part is one jump.
 */

export const HOUR_SECONDS = 3_600;
export const DAY_SECONDS = 86_400;

/** Splits in an hour: one for each second but the first. */
export const NODES = HOUR_SECONDS - 1;

/** For each node: the start and end of its range, and the second in between whose value it sets. */
export const FROM = new Uint16Array(NODES);
export const MIDDLE = new Uint16Array(NODES);
export const TO = new Uint16Array(NODES);

/**
 * For each node: the relative position of the middle, 0 to 1, and its deviation from the straight line in units of a second's.
 */
const SHARE = new Float64Array(NODES);
const SCALE = new Float64Array(NODES);

/** Splits at five-minute, then one-minute boundaries, so that a bar is one branch of the tree. */
const split = (node: number, from: number, to: number): void => {
  const length = to - from;
  if (length < 2) return;
  const unit = length > 300 ? 300 : length > 60 ? 60 : 1;
  const first = Math.floor(length / unit / 2) * unit;
  FROM[node] = from;
  MIDDLE[node] = from + first;
  TO[node] = to;
  SHARE[node] = first / length;
  SCALE[node] = Math.sqrt((first / length) * (length - first));
  split(node + 1, from, from + first);
  split(node + first, from + first, to);
};
split(0, 0, HOUR_SECONDS);

/**
 * The value in the middle of a node's range.
 * @param a the value at its start
 * @param b the value at its end
 * @param move random step × the deviation of one second, as a share of the level
 */
export const middleValue = (node: number, a: number, b: number, move: number): number =>
  (a + (b - a) * (SHARE[node] ?? 0)) * (1 + (SCALE[node] ?? 0) * move);

/** Larger than any move that occurs; reaches are computed for it. */
const REFERENCE_MOVE = 4e-4;

const highestFrom1 = (node: number): number => {
  const values = new Map([
    [FROM[node] ?? 0, 1],
    [TO[node] ?? 0, 1],
  ]);
  const end = afterNode(node);
  for (let part = node; part < end; part++) {
    const [a, b] = [values.get(FROM[part] ?? 0) ?? 1, values.get(TO[part] ?? 0) ?? 1];
    values.set(MIDDLE[part] ?? 0, middleValue(part, a, b, REFERENCE_MOVE));
  }
  return Math.max(...values.values());
};

/** The node after a whole branch. */
export const afterNode = (node: number): number => node + (TO[node] ?? 0) - (FROM[node] ?? 0) - 1;

/** For each node: how far its range can rise or fall beyond its ends, as a share of the level, per unit of move. */
const REACH = (() => {
  const ofLength = new Map<number, number>();
  return Float64Array.from({ length: NODES }, (_, node) => {
    const length = (TO[node] ?? 0) - (FROM[node] ?? 0);
    const reach = ofLength.get(length) ?? (highestFrom1(node) - 1) / REFERENCE_MOVE;
    ofLength.set(length, reach);
    return reach;
  });
})();

/** Margin for the rounding errors of a dozen float operations. */
const SLACK = 1e-13;

/**
 * How far the seconds of a node can be above the higher of its ends, or below the lower, as a share of that end.
 *
 * Proof: values rise with every step and with both ends, so the path from 1 to 1 with every step at its bound bounds all others.
 * Its rise is convex in the move, so a smaller move reaches less than proportionally, and no path falls further than that one
 * rises.
 * @param move the largest random step × the deviation of one second, at most 4e-4
 */
export const reachOf = (node: number, move: number): number => (REACH[node] ?? 0) * move + SLACK;
