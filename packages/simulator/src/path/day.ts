/** Reads one simulated day: any second, and the exact extremes of any range without visiting every second. */
import { type DayFrame, frameOf, type Path, pathStep, valueIn } from "./path.ts";
import { afterNode, DAY_SECONDS, FROM, HOUR_SECONDS, MIDDLE, middleValue, NODES, reachOf, TO } from "./tree.ts";

/** The highest and the lowest value so far. */
export interface Extremes {
  high: number;
  low: number;
}

/** Reads one path day by day. Caches the last hour it computed, since short ranges follow each other. */
export class SimulatedDay {
  private readonly path: Path;
  private frame: DayFrame;
  private readonly values = new Float64Array(HOUR_SECONDS + 1);
  private laidOut = -1;

  /**
   * @param path the path to read
   * @param day the first day, in UTC days since 1970-01-01
   */
  constructor(path: Path, day: number) {
    this.path = path;
    this.frame = frameOf(path, day);
  }

  /** Switches to a day; does nothing when it is already current. */
  turnTo(day: number): void {
    if (day === this.frame.day) return;
    this.frame = frameOf(this.path, day);
    this.laidOut = -1;
  }

  private get start(): number {
    return this.frame.day * DAY_SECONDS;
  }

  /** The value at a whole second of the day, in seconds since 1970-01-01. */
  value(second: number): number {
    const place = second - this.start - this.laidOut * HOUR_SECONDS;
    const isLaidOut = this.laidOut >= 0 && place >= 0 && place < HOUR_SECONDS;
    return isLaidOut ? (this.values[place] ?? 0) : valueIn(this.frame, second);
  }

  /**
   * Extends extremes with the whole seconds of [from, to).
   * @param from seconds since 1970-01-01, within the day
   * @param to the second after the last
   */
  take(from: number, to: number, extremes: Extremes): void {
    const first = Math.ceil((from - this.start) / HOUR_SECONDS);
    const last = Math.floor((to - this.start) / HOUR_SECONDS);
    if (first > last) {
      this.scan(from, to, extremes);
      return;
    }
    this.scan(from, this.start + first * HOUR_SECONDS, extremes);
    this.scan(this.start + last * HOUR_SECONDS, to, extremes);
    if (first < last) this.search(first, last, extremes);
  }

  /** Extends extremes with every second of a range within one hour. */
  private scan(from: number, to: number, found: Extremes): void {
    if (from >= to) return;
    const hour = Math.floor((from - this.start) / HOUR_SECONDS);
    this.layOut(hour);
    const hourStart = this.start + hour * HOUR_SECONDS;
    for (let place = from - hourStart; place < to - hourStart; place++) {
      const value = this.values[place] ?? 0;
      if (value > found.high) found.high = value;
      if (value < found.low) found.low = value;
    }
  }

  private layOut(hour: number): void {
    if (this.laidOut === hour) return;
    const { values, frame } = this;
    const hourStart = this.start + hour * HOUR_SECONDS;
    const deviation = this.open(hour);
    for (let node = 0; node < NODES; node++) {
      const middle = MIDDLE[node] ?? 0;
      const move = deviation * pathStep(frame.path, hourStart + middle);
      values[middle] = middleValue(node, values[FROM[node] ?? 0] ?? 0, values[TO[node] ?? 0] ?? 0, move);
    }
    this.laidOut = hour;
  }

  /** Sets both ends of an hour, replacing the cached one, and returns the deviation of its seconds. */
  private open(hour: number): number {
    this.laidOut = -1;
    this.values[0] = this.frame.hours[hour] ?? 0;
    this.values[HOUR_SECONDS] = this.frame.hours[hour + 1] ?? 0;
    return this.frame.deviations[hour] ?? 0;
  }

  /**
   * Extends extremes with whole hours. The better the known extremes, the more can be skipped: so the hours' starts come first,
   * then the hours with the highest and lowest starts.
   */
  private search(first: number, last: number, found: Extremes): void {
    const { hours } = this.frame;
    let highest = first;
    let lowest = first;
    for (let hour = first; hour < last; hour++) {
      const value = hours[hour] ?? 0;
      if (value > (hours[highest] ?? 0)) highest = hour;
      if (value < (hours[lowest] ?? 0)) lowest = hour;
      if (value > found.high) found.high = value;
      if (value < found.low) found.low = value;
    }
    this.climb(highest, 1, found);
    this.climb(lowest, -1, found);
    this.searchHour(highest, found);
    if (lowest !== highest) this.searchHour(lowest, found);
    for (let hour = first; hour < last; hour++) if (hour !== highest && hour !== lowest) this.searchHour(hour, found);
  }

  /** Extends extremes with one branch of an hour, always the higher (or lower) half: close to an extreme, in a dozen steps. */
  private climb(hour: number, sign: 1 | -1, found: Extremes): void {
    const { frame } = this;
    const hourStart = this.start + hour * HOUR_SECONDS;
    const deviation = frame.deviations[hour] ?? 0;
    let a = frame.hours[hour] ?? 0;
    let b = frame.hours[hour + 1] ?? 0;
    for (let node = 0, left = HOUR_SECONDS; left > 1; ) {
      const middle = MIDDLE[node] ?? 0;
      const first = middle - (FROM[node] ?? 0);
      const value = middleValue(node, a, b, deviation * pathStep(frame.path, hourStart + middle));
      if (value > found.high) found.high = value;
      if (value < found.low) found.low = value;
      if ((a - b) * sign > 0) {
        b = value;
        left = first;
        node += 1;
      } else {
        a = value;
        left -= first;
        node += first;
      }
    }
  }

  /** Extends extremes with the seconds of an hour after its start, skipping branches that cannot contain an extreme. */
  private searchHour(hour: number, found: Extremes): void {
    const { values, frame } = this;
    const hourStart = this.start + hour * HOUR_SECONDS;
    const deviation = this.open(hour);
    const bound = deviation * frame.path.stepBound;
    let { high, low } = found;
    for (let node = 0; node < NODES; ) {
      const a = values[FROM[node] ?? 0] ?? 0;
      const b = values[TO[node] ?? 0] ?? 0;
      const reach = reachOf(node, bound);
      if (Math.max(a, b) * (1 + reach) <= high && Math.min(a, b) * (1 - reach) >= low) {
        node = afterNode(node);
        continue;
      }
      const middle = MIDDLE[node] ?? 0;
      const value = middleValue(node, a, b, deviation * pathStep(frame.path, hourStart + middle));
      values[middle] = value;
      if (value > high) high = value;
      if (value < low) low = value;
      node += 1;
    }
    found.high = high;
    found.low = low;
  }
}
