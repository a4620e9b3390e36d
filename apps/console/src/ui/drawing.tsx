/** A place for a chart: its code is loaded when it is first needed, and it is drawn again with what it shows. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

/** A drawn chart of some data. */
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
}

/** The place. */
export const Drawing = <Data,>({ draw, data, label }: DrawingProps<Data>) => {
  const place = useRef<HTMLDivElement>(null);
  const drawn = useSignal<Drawn<Data> | null>(null);
  useEffect(() => {
    let isOver = false;
    let mine: Drawn<Data> | null = null;
    if (place.current !== null)
      void draw(place.current).then((chart) => {
        mine = chart;
        if (isOver) chart.close();
        else drawn.value = chart;
      });
    return () => {
      isOver = true;
      drawn.value = null;
      mine?.close();
    };
  }, [draw, drawn]);
  useEffect(() => drawn.value?.show(data), [data, drawn.value]);
  return <div ref={place} class="drawing" role="img" aria-label={label} />;
};
