/** State that is read from the store and follows what happens: nothing that arrives while it is being read is lost. */

/** One state. Events change the present one at once, and one that is being read before it takes its place. */
export class Followed<State, Event> {
  readonly #apply: (state: State, event: Event) => void;
  /** What has arrived since each load in progress began. */
  readonly #heard = new Set<Event[]>();
  #now: State;

  constructor(initial: State, apply: (state: State, event: Event) => void) {
    this.#now = initial;
    this.#apply = apply;
  }

  get now(): State {
    return this.#now;
  }

  apply(event: Event): void {
    this.#apply(this.#now, event);
    for (const heard of this.#heard) heard.push(event);
  }

  /** @param read reads the state from the store; `heard` is what has arrived since it began */
  async load(read: (heard: readonly Event[]) => Promise<State>): Promise<void> {
    const heard: Event[] = [];
    this.#heard.add(heard);
    try {
      const state = await read(heard);
      for (const event of heard) this.#apply(state, event);
      this.#now = state;
    } finally {
      this.#heard.delete(heard);
    }
  }
}

/** Where states are kept: a map, or one that is bounded. */
interface States<State> {
  get(name: string): State | undefined;
  set(name: string, state: State): unknown;
  delete(name: string): unknown;
  keys(): Iterable<string>;
}

interface Reading<State, Event> {
  state: Promise<State> | null;
  /** What has arrived since it began; another list once what it reads was replaced. */
  arrived: Event[];
}

/** States by name, each read when it is first asked for. */
export class FollowedByName<State extends object, Event = never> {
  readonly #take: (state: State, event: Event) => boolean;
  readonly #states: States<State>;
  readonly #reading = new Map<string, Reading<State, Event>>();

  /** @param take changes a state; false when it must be read again */
  constructor(take: (state: State, event: Event) => boolean, states: States<State> = new Map()) {
    this.#take = take;
    this.#states = states;
  }

  /** The state, if it is at hand. */
  known(name: string): State | undefined {
    return this.#states.get(name);
  }

  /** Waits only for the first reading. */
  of(name: string, read: () => Promise<State>): State | Promise<State> {
    return this.#states.get(name) ?? this.#reading.get(name)?.state ?? this.#begin(name, read);
  }

  apply(name: string, event: Event): void {
    this.#reading.get(name)?.arrived.push(event);
    const state = this.#states.get(name);
    if (state && !this.#take(state, event)) this.#states.delete(name);
  }

  /**
   * Drops one state, or all; each is read again when next asked for, and one that is being read at once.
   * @returns their names
   */
  forget(name?: string): readonly string[] {
    const names = name === undefined ? [...new Set([...this.#states.keys(), ...this.#reading.keys()])] : [name];
    for (const each of names) {
      this.#states.delete(each);
      const reading = this.#reading.get(each);
      if (reading) reading.arrived = [];
    }
    return names;
  }

  #begin(name: string, read: () => Promise<State>): Promise<State> {
    const reading: Reading<State, Event> = { state: null, arrived: [] };
    this.#reading.set(name, reading);
    const state = this.#read(name, read, reading).finally(() => this.#reading.delete(name));
    reading.state = state;
    return state;
  }

  async #read(name: string, read: () => Promise<State>, reading: Reading<State, Event>): Promise<State> {
    for (;;) {
      const arrived: Event[] = [];
      reading.arrived = arrived;
      const state = await read();
      if (reading.arrived !== arrived || !arrived.every((event) => this.#take(state, event))) continue;
      this.#states.set(name, state);
      return state;
    }
  }
}
