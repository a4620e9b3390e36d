/** Room at both ends of an axis, so that the labels of its first and last point are whole at any width. */
import type { ITimeScaleApi } from "lightweight-charts";

/** Half of the widest label, and a little. */
const ROOM_PX = 34;

/**
 * Keeps the room as the chart's size changes.
 * @returns shows the points from one index to another
 */
export const withRoom = <Time>(axis: ITimeScaleApi<Time>): ((first: number, last: number) => void) => {
  let ends: readonly [first: number, last: number] | null = null;
  const fit = (): void => {
    const inner = axis.width() - 2 * ROOM_PX;
    if (ends === null || inner <= 0) return;
    const [first, last] = ends;
    const margin = ((last - first) * ROOM_PX) / inner;
    axis.setVisibleLogicalRange({ from: first - margin, to: last + margin });
  };
  axis.subscribeSizeChange(fit);
  return (first, last) => {
    ends = [first, last];
    fit();
  };
};
