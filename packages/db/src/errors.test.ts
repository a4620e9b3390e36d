/** Which errors of an embedded database are faults of its folder. */
import { expect, test } from "vitest";
import { StoreFolderError, StoreHeldError, translateFolderFault } from "./errors.ts";

test("the engine's own file system faults, which are not Errors, become one that says what is wrong", () => {
  expect(translateFolderFault({ name: "ErrnoError", errno: 51 })).toEqual(new StoreFolderError("no space left on device"));
  expect(translateFolderFault({ name: "ErrnoError", errno: 999 })).toBeInstanceOf(StoreFolderError);
});

test("the system's faults keep their message", () => {
  const fault = Object.assign(new Error("EROFS: read-only file system, mkdir '/data/db'"), { code: "EROFS", syscall: "mkdir" });
  expect(translateFolderFault(fault)).toEqual(new StoreFolderError(fault.message));
});

test("faults of another kind stay what they are", () => {
  const held = new StoreHeldError({ pid: 7, sinceMs: 0 });
  expect(translateFolderFault(held)).toBe(held);
  expect(translateFolderFault("a text")).toBe("a text");
});
