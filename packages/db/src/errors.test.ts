/** Which of the server's refusals are an outage, which a retry may outlive. */
import { expect, test } from "vitest";
import { StoreQueryError, StoreUnavailableError, translate } from "./errors.ts";

const refusal = (code: string): Error => Object.assign(new Error("refused"), { code });

test.each([
  ["08006", "unreachable"],
  ["53300", "too_many_connections"],
  ["53200", "out_of_resources"],
  ["53100", "disk_full"],
  ["25006", "read_only"],
  ["55000", "restarting"],
  ["57P01", "restarting"],
  ["57P03", "restarting"],
  ["57P05", "restarting"],
  ["28P01", "login_refused"],
  ["28000", "login_refused"],
  ["3D000", "no_such_database"],
  ["ECONNREFUSED", "unreachable"],
  ["ENOTFOUND", "dns_lookup_failed"],
  ["CONNECT_TIMEOUT", "timeout"],
])("%s is an outage, of the class %s", (code, name) => {
  const translated = translate(refusal(code));
  expect(translated).toBeInstanceOf(StoreUnavailableError);
  expect(translated).toMatchObject({ class: name });
});

test.each(["23505", "42P01", "57014", "22P02"])("%s is a refused statement, with its code", (code) => {
  const translated = translate(refusal(code));
  expect(translated).toBeInstanceOf(StoreQueryError);
  expect(translated).toMatchObject({ code, message: "refused" });
});

test.each([
  ["53100", "could not extend file: No space left on device"],
  ["25006", "cannot execute INSERT in a read-only transaction"],
  ["42501", "could not open file: Read-only file system"],
])("%s refuses writes alone: %s", (code, message) => {
  const error = Object.assign(new Error(message), { code });
  expect(translate(error)).toMatchObject({ name: "StoreUnavailableError", refusesWrites: true });
  expect(translate(refusal("57P01"))).toMatchObject({ refusesWrites: false });
  expect(translate(refusal("42501"))).toBeInstanceOf(StoreQueryError);
});

test("what is no error of a database stays what it is", () => {
  const error = new RangeError("another");
  expect(translate(error)).toBe(error);
});
