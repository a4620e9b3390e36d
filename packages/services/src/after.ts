/** Continues with a value that may have to be awaited. */

/** Runs the next step, at once when the value is here: a promise would cost more than all checks of a request together. */
export const after = <T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> =>
  value instanceof Promise ? value.then(next) : next(value);
