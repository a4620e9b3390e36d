/** The numbers of alerts at the left ends of their lines, as the words below the chart have them. */
import type { ISeriesApi, ISeriesPrimitive, SeriesType, Time } from "lightweight-charts";
import { property } from "./theme.ts";

export interface MarkedLevel {
  readonly price: string;
  /** Null where there is one line only. */
  readonly mark: string | null;
}

const EDGE_PX = 4;
const GAP_PX = 3;
const HEIGHT_PX = 15;
const PADDING_PX = 4;

interface Placed {
  readonly mark: string;
  readonly leftPx: number;
  readonly middlePx: number;
}

/**
 * Places numbers from top to bottom; one that would cover the one above it stands beside that.
 * @param marks with the height of their lines, in any order
 * @param widthOf how wide a number is drawn, in pixels
 */
export const placed = (
  marks: readonly { readonly mark: string; readonly middlePx: number }[],
  widthOf: (mark: string) => number,
): readonly Placed[] => {
  const all: Placed[] = [];
  for (const { mark, middlePx } of marks.toSorted((one, other) => one.middlePx - other.middlePx)) {
    const above = all.at(-1);
    const isBeside = above !== undefined && middlePx - above.middlePx < HEIGHT_PX;
    all.push({ mark, middlePx, leftPx: isBeside ? above.leftPx + widthOf(above.mark) + GAP_PX : EDGE_PX });
  }
  return all;
};

export const levelMarks = (
  series: Pick<ISeriesApi<SeriesType>, "priceToCoordinate">,
  levels: readonly MarkedLevel[],
): ISeriesPrimitive<Time> => {
  const marks = () =>
    levels.flatMap(({ price, mark }) => {
      const middlePx = series.priceToCoordinate(Number(price));
      return mark === null || middlePx === null ? [] : [{ mark, middlePx }];
    });
  return {
    paneViews: () => [
      {
        renderer: () => ({
          draw: (target) =>
            target.useMediaCoordinateSpace(({ context: pen }) => {
              pen.font = `600 11px ${property("sans")}`;
              pen.textBaseline = "middle";
              const widthOf = (mark: string): number => pen.measureText(mark).width + 2 * PADDING_PX;
              for (const { mark, leftPx, middlePx } of placed(marks(), widthOf)) {
                const box = [leftPx, middlePx - HEIGHT_PX / 2, widthOf(mark), HEIGHT_PX] as const;
                pen.fillStyle = property("raised");
                pen.strokeStyle = property("soft");
                pen.fillRect(...box);
                pen.strokeRect(...box);
                pen.fillStyle = property("ink");
                pen.fillText(mark, leftPx + PADDING_PX, middlePx);
              }
            }),
        }),
      },
    ],
  };
};
