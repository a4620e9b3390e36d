/** A place for a chart: its code is loaded when it is first needed, and it is drawn again with what it shows. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { onReturn } from "../data/service.ts";
import { language } from "../text/text.ts";

export interface Drawn<Data> {
  show(data: Data): void;
  close(): void;
}

interface DrawingProps<Data> {
  /** Loads the code and draws; never changes. */
  readonly draw: (place: HTMLElement) => Promise<Drawn<Data>>;
  readonly data: Data;
  /** What can be seen, in words. */
  readonly label: string;
  /** The figure that it ends with, as published. */
  readonly newest?: string | null | undefined;
}

/** The place; a chart runs from left to right in every language, and is drawn anew in another one. */
export const Drawing = <Data,>({ draw, data, label, newest }: DrawingProps<Data>) => {
  const place = useRef<HTMLDivElement>(null);
  const drawn = useSignal<Drawn<Data> | null>(null);
  useEffect(() => {
    let isOver = false;
    let isBegun = false;
    let mine: Drawn<Data> | null = null;
    const begin = async (): Promise<void> => {
      if (place.current === null || isBegun) return;
      isBegun = true;
      const chart = await draw(place.current).catch(() => null);
      // Without its code: it is asked for again as soon as the service is back.
      isBegun = chart !== null;
      if (chart === null) return;
      mine = chart;
      if (isOver) chart.close();
      else drawn.value = chart;
    };
    void begin();
    const stop = onReturn(() => void begin());
    return () => {
      isOver = true;
      stop();
      drawn.value = null;
      mine?.close();
    };
  }, [draw, drawn, language.value]);
  useEffect(() => drawn.value?.show(data), [data, drawn.value]);
  return <div ref={place} class="drawing" dir="ltr" role="img" aria-label={label} data-newest={newest} />;
};
