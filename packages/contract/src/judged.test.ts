import { describe, expect, test } from "vitest";
import { z } from "zod";
import { Fault, judged } from "./judged.ts";

const member = z.strictObject({ name: z.string(), parts: z.array(z.int()).optional() });
const list = z.array(judged(member)).max(3);

describe("a list of judged members", () => {
  test("keeps the valid ones, and has a fault in the place of each other", () => {
    const [first, second, third] = list.parse([{ name: "a" }, { name: 1 }, "b"]);
    expect(first).toEqual({ name: "a" });
    for (const fault of [second, third]) expect(fault).toBeInstanceOf(Fault);
    expect(second).toMatchObject({ path: ["name"], given: { name: 1 } });
    expect(third).toMatchObject({ path: [], given: "b" });
  });

  test("says where in a member something is, and names what it should not have", () => {
    expect(list.parse([{ name: "a", parts: [1, "2"] }])[0]).toMatchObject({ path: ["parts", 1] });
    expect(list.parse([{ name: "a", [`x${"y".repeat(200)}`]: 1 }])[0]).toMatchObject({ path: [`x${"y".repeat(63)}`] });
  });

  test("is still refused for what the list itself is", () => {
    expect(list.safeParse([1, 2, 3, 4]).success).toBe(false);
    expect(list.safeParse({}).success).toBe(false);
  });

  test("is described by the schema of a valid member", () => {
    const { items } = z.toJSONSchema(list, { io: "input", unrepresentable: "any" });
    const { $schema: _, ...own } = z.toJSONSchema(member, { io: "input" });
    expect(items).toEqual(own);
  });
});
