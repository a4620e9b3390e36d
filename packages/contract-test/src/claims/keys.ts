/** How a route handles keys: their forms, bad ones, revoked ones, those in grace, two at once. A laboratory makes them. */
import { isChanging } from "@assay/contract";
import { badKey } from "../wire/caller.ts";
import { type Exchange, NotChecked } from "../wire/exchange.ts";
import type { KeyHolder, Lab } from "../world.ts";
import type { Attempt, Claim, Family } from "./claim.ts";
import { sendThrough } from "./doors.ts";
import { answered } from "./expectation.ts";

type Headers = Readonly<Record<string, string>>;

/** A key with one mistyped character; the checksum rejects it. */
const mistyped = (key: string): string => `${key.slice(0, 20)}${key[20] === "0" ? "1" : "0"}${key.slice(21)}`;

const badKeys = (key: string, other: string): Readonly<Record<string, Headers>> => ({
  unknown: { authorization: `Bearer ${other}` },
  "unknown, as X-API-Key": { "x-api-key": other },
  mistyped: { authorization: `Bearer ${mistyped(key)}` },
  malformed: { authorization: "Bearer not-a-key" },
  empty: { authorization: "Bearer " },
  "empty X-API-Key": { "x-api-key": "" },
  "without a scheme": { authorization: key },
  "with words behind it": { authorization: `Bearer ${key} ${key}` },
  overlong: { authorization: `Bearer ${key}${"0".repeat(4000)}` },
  "two different ones": { authorization: `Bearer ${key}`, "x-api-key": other },
});

const basic = (text: string): Headers => ({ authorization: `Basic ${Buffer.from(text).toString("base64")}` });

/** A claim that needs a key of the route's lowest tier, made for it. */
export const withKey = (
  title: string,
  why: string,
  check: (it: Attempt, caller: KeyHolder, lab: Lab) => Promise<void>,
): Claim => ({
  group: "access",
  title,
  why,
  check: async (it) => {
    const { lab } = it.world;
    if (!lab) throw new NotChecked("no key can be made for it");
    await check(it, await lab.mint(it.route.access.tier), lab);
  },
});

const isKnown = (it: Attempt, exchange: Exchange, what: string): void => {
  if (exchange.status === 401) it.fault(`${what}: answered ${answered(exchange)}`, exchange);
};

const forms = withKey(
  "forms of a key",
  "a key is accepted as a bearer, in any case of the word, and as X-API-Key",
  async (it, caller) => {
    const { authorization: bearer = "" } = caller.headers;
    const ways = [{ authorization: bearer.replace("Bearer", "bearer") }, { "x-api-key": caller.key }];
    for (const headers of [...ways, { authorization: bearer, "x-api-key": caller.key }]) {
      const exchange = await it.trial.askAnyway({ caller: { ...caller, headers } });
      isKnown(it, exchange, Object.keys(headers).join(" and "));
    }
  },
);

const bad = withKey("bad keys", "a key with anything wrong is refused, and never repeated", async (it, caller, lab) => {
  for (const [what, headers] of Object.entries(badKeys(caller.key, lab.unknownKey()))) {
    const exchange = await it.ask({ caller: badKey(headers) });
    it.expect(exchange, { code: "invalid_api_key" }, `a key is ${what}`);
    if (exchange.text.includes(caller.key)) it.fault("the key is repeated", exchange);
  }
});

const schemes = withKey(
  "other schemes",
  "credentials of another scheme are ignored, with a key and without, but not a key among them",
  async (it, caller) => {
    const other = basic("proxy:secret");
    const keyed = await it.ask({ caller: { ...caller, headers: { ...other, "x-api-key": caller.key } } });
    isKnown(it, keyed, "a key beside Basic");
    const [without, plain] = [await it.ask({ caller: it.keyless, headers: other }), await it.ask({ caller: it.keyless })];
    if (answered(without) !== answered(plain)) it.fault(`answered ${answered(without)} instead of ${answered(plain)}`, without);
    it.expect(await it.ask({ caller: badKey(basic(`${caller.key}:`)) }), { code: "invalid_api_key" });
  },
);

const revoked = withKey("a revoked key", "a revoked key is refused", async (it, caller, lab) => {
  await lab.revoke(caller);
  it.expect(await it.ask({ caller: badKey(caller.headers) }), { code: "invalid_api_key" });
});

const grace = withKey(
  "a key in grace",
  "a key that was replaced reads as before for a day, and changes nothing, on any protocol, with or without Idempotency-Key",
  async (it, caller, lab) => {
    const input = await it.trial.sample(caller);
    await lab.retire(caller);
    if (!isChanging(it.route)) {
      it.expect(await it.ask({ caller }), it.plain);
      return;
    }
    const expected = { code: "key_in_grace" } as const;
    it.expect(await it.trial.askAnyway({ caller, input, headers: { "idempotency-key": "never-used" } }), expected);
    for (const door of it.world.doors) if (door !== "HEAD") await sendThrough(it, door, { caller, input, expected });
  },
);

/** The forms and states of keys; who is allowed is claimed of every caller. */
export const keyClaims: Family = ({ access }, { isLab }) =>
  isLab && access.auth !== "none" ? [forms, bad, schemes, revoked, grace] : [];
