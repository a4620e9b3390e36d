/** What a laboratory claims of access: no caller and no transport of any route is left out. */
import { contract, DEFAULT_CATALOG, formatsOf, pages } from "@assay/contract";
import { describe, expect, test } from "vitest";
import { namedRoutes } from "../routes.ts";
import type { Scope } from "../world.ts";
import { accessClaims, nameOf } from "./access.ts";
import { doorsOf } from "./doors.ts";
import { CALLER_KINDS, type Door, PAGE_DOORS, ROUTE_DOORS } from "./outcomes.ts";

const scopeOf = (routes: typeof contract | typeof pages, doors: readonly Door[]): Scope => ({
  contract: routes,
  doors,
  kinds: CALLER_KINDS,
  catalog: DEFAULT_CATALOG,
  nowMs: () => 0,
  isLab: true,
  isDisposable: true,
});

describe.each([
  ["the contract", contract, ROUTE_DOORS],
  ["pages", pages, PAGE_DOORS],
] as const)("every route of %s", (_, routes, doors) => {
  const scope = scopeOf(routes, doors);
  test.each(namedRoutes(routes).map(({ name, route }) => [name, route] as const))(
    "%s has a claim for every caller",
    (_, route) => {
      const titles = accessClaims(route, scope).map(({ title }) => title);
      expect(titles).toEqual(expect.arrayContaining(CALLER_KINDS.map(nameOf)));
    },
  );

  test("is reached through every door, and HEAD through the GET of its path", () => {
    for (const { name, route } of namedRoutes(routes)) {
      const others = namedRoutes(routes).filter((other) => other.route.path === route.path && other.route !== route);
      const isAnsweredByOther = others.some(({ route: { method } }) => method === "GET");
      const wanted = [...doors, ...formatsOf(route)].filter((door) => door !== "HEAD" || !isAnsweredByOther);
      expect([...doorsOf(route, scope)].toSorted(), name).toEqual(wanted.toSorted());
    }
  });
});
