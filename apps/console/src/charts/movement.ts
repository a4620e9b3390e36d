/** How a reader moves a chart along its axis: by drag, wheel and buttons; at its left edge they are asking for what is older. */
import type { IChartApi, LogicalRange } from "lightweight-charts";

export interface Movement {
  /** Shows more of the axis, or less: a factor of its length. */
  zoom(factor: number): void;
  /** Half a view towards the past. */
  toPast(): void;
  /** To the newest point. */
  toNow(): void;
  /** Shows all there is, until the reader moves it. */
  showAll(): void;
  close(): void;
}

/** How near to its oldest point a view is at the edge, as a share of the view. */
const NEAR = 0.1;
/** A pointer moves as far before it drags. */
const DRAG_PX = 8;

/**
 * Follows the reader's moves. A chart that shows all it has says nothing when it is dragged further, so the pointer and the wheel are
 * listened to as well.
 * @param onPast called, maybe often, while the reader is at the left edge or beyond
 */
export const movement = (chart: IChartApi, place: HTMLElement, onPast: () => void): Movement => {
  const axis = chart.timeScale();
  const listening = new AbortController();
  let isMoved = false;
  let dragFromPx: number | null = null;
  const look = (): void => {
    const range = axis.getVisibleLogicalRange();
    if (isMoved && range !== null && range.from < (range.to - range.from) * NEAR) onPast();
  };
  const move = (): void => {
    isMoved = true;
    look();
  };
  const set = (change: (range: LogicalRange) => { readonly from: number; readonly to: number }): void => {
    const range = axis.getVisibleLogicalRange();
    if (range !== null) axis.setVisibleLogicalRange(change(range));
  };
  const listen = <Type extends keyof HTMLElementEventMap>(type: Type, call: (event: HTMLElementEventMap[Type]) => void): void =>
    place.addEventListener(type, call, { signal: listening.signal, passive: true, capture: true });
  listen("pointerdown", ({ clientX }) => {
    dragFromPx = clientX;
  });
  listen("pointermove", ({ clientX, buttons }) => {
    if (buttons === 0) dragFromPx = null;
    if (dragFromPx !== null && Math.abs(clientX - dragFromPx) > DRAG_PX) {
      isMoved = true;
      if (clientX > dragFromPx) look();
    }
  });
  listen("wheel", ({ deltaX, deltaY }) => {
    isMoved = true;
    if (deltaY > 0 || deltaX < 0) look();
  });
  axis.subscribeVisibleLogicalRangeChange(look);
  return {
    zoom: (factor) => {
      set(({ from, to }) => {
        const [middle, half] = [(from + to) / 2, ((to - from) / 2) * factor];
        return { from: middle - half, to: middle + half };
      });
      move();
    },
    toPast: () => {
      set(({ from, to }) => {
        const step = Math.min((to - from) / 2, Math.max(0, from));
        return { from: from - step, to: to - step };
      });
      move();
    },
    toNow: () => axis.scrollToPosition(0, false),
    showAll: () => {
      isMoved = false;
      axis.fitContent();
    },
    close: () => {
      listening.abort();
      axis.unsubscribeVisibleLogicalRangeChange(look);
    },
  };
};
