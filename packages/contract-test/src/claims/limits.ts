/** What a route costs: its rate limits, the answer over them, and what counts against the monthly quota. A laboratory uses them up. */
import { contract } from "@assay/contract";
import { askingOf, invalidFaults } from "../inputs/invalid.ts";
import type { Caller } from "../wire/caller.ts";
import { type Exchange, fieldsOf, windowsOf } from "../wire/exchange.ts";
import type { Attempt, Claim, Family } from "./claim.ts";
import { answered } from "./expectation.ts";
import { withKey } from "./keys.ts";

/** Requests per minute and address on light routes. */
const LIGHT_PER_MINUTE = 60;
/** Requests sent to routes without a limit: more than any other limit allows an address. */
const MANY = 80;

/** What is wrong with an answer over the limit, besides what the rules say. */
const exceededFaults = (it: Attempt, exchange: Exchange, limit: number): string[] => {
  const { limit: named, window, retry_after_seconds: wait, reset_at: resetAt } = fieldsOf(exchange.json);
  const resetInMs = Date.parse(String(resetAt)) - it.world.nowMs(exchange.readAtMs);
  const seconds = Number(wait);
  return [
    ...(named === limit && window === "minute" ? [] : [`names the limit ${String(named)} of the ${String(window)}`]),
    ...(seconds >= 1 && seconds <= 60 ? [] : [`asks to wait ${String(wait)} seconds`]),
    ...(Math.abs(resetInMs - seconds * 1_000) <= 1_000 ? [] : [`says it resets at ${String(resetAt)}`]),
    ...(exchange.headers.get("x-ratelimit-limit") === String(limit) ? [] : ["X-RateLimit-Limit is not the limit"]),
    ...(exchange.headers.get("x-ratelimit-remaining") === "0" ? [] : ["X-RateLimit-Remaining is not 0"]),
  ];
};

/** Sends requests until the limit is reached and checks each answer, and the next one. */
const exhaust = async (it: Attempt, limit: number, caller: Caller, headers: Readonly<Record<string, string>>): Promise<void> => {
  for (let count = 1; count <= limit; count += 1) {
    const exchange = await it.trial.askAnyway({ caller, headers });
    const minute = windowsOf(exchange).get("minute");
    const isCounted = minute?.quota === limit && minute.remaining === limit - count && exchange.status !== 429;
    if (!isCounted) return it.fault(`request ${count} of ${limit}: ${answered(exchange)}, ${JSON.stringify(minute)}`, exchange);
  }
  const over = await it.trial.askAnyway({ caller, headers });
  if (it.expect(over, { code: "rate_limit_exceeded" })) it.faults(exceededFaults(it, over, limit), over);
};

const standard: readonly Claim[] = [
  {
    group: "access",
    title: "limits without a key",
    why: "the minute and hour of an address are counted, and it is refused beyond the minute's allowance",
    check: async (it) => {
      const { keyless } = it.world.catalog;
      const first = await it.ask({ caller: it.keyless });
      const { quota, remaining } = windowsOf(first).get("hour") ?? {};
      if (quota !== keyless.perHour || remaining !== keyless.perHour - 1)
        it.fault(`the hour has ${remaining} of ${quota}`, first);
      await exhaust(it, keyless.perMinute, it.keyless, it.world.lab?.freshAddress() ?? {});
    },
  },
  withKey(
    "limits with a key",
    "the minute and month of an organisation are counted, and it is refused beyond the tier's minute",
    async (it, caller, lab) => {
      const { tier, metered } = it.route.access;
      const { rate_limit_per_minute: limit, monthly_quota: quota } = it.world.catalog.tiers[tier];
      const first = await it.ask({ caller: await lab.mint(tier) });
      const remaining = windowsOf(first).get("month")?.remaining;
      if (remaining !== (metered ? quota - 1 : quota)) it.fault(`the month has ${remaining} of ${quota}`, first);
      await exhaust(it, limit, caller, {});
    },
  ),
];

const light: Claim = {
  group: "access",
  title: "limits of an address",
  why: `${LIGHT_PER_MINUTE} requests a minute are answered an address, and the next is refused`,
  check: (it) => exhaust(it, LIGHT_PER_MINUTE, it.keyless, it.world.lab?.freshAddress() ?? {}),
};

const unlimited: Claim = {
  group: "access",
  title: "no limits",
  why: `one address is answered ${MANY} times in a row`,
  check: async (it) => {
    const headers = it.world.lab?.freshAddress() ?? {};
    const all = await Promise.all(Array.from({ length: MANY }, () => it.trial.askAnyway({ caller: it.keyless, headers })));
    const refused = all.find(({ status }) => status !== it.route.success.status);
    if (refused) it.fault(`answered ${answered(refused)}`, refused);
  },
};

/** The metered calls of a caller's organisation so far. */
export const meteredCalls = async ({ world }: Attempt, caller: Caller): Promise<number> => {
  const { json } = await world.service.route(contract.account.usage, { caller });
  return Number(fieldsOf(json).calls_this_month);
};

const metering = withKey(
  "metering",
  "an answer of a metered route counts once against the month, no other answer does, and a refusal says so",
  async (it, caller) => {
    const { metered } = it.route.access;
    const calls = metered ? 1 : 0;
    const expectCalls = async (exchange: Exchange): Promise<void> => {
      const counted = await meteredCalls(it, caller);
      if (counted !== calls) it.fault(`${counted} calls are counted, expected ${calls}`, exchange);
    };
    await expectCalls(await it.ask({ caller }));
    const fault = invalidFaults(it.route).find(({ bySchema, edges }) => bySchema && edges.length > 0);
    if (!metered || !fault) return;
    const refused = await it.ask({ caller, ...askingOf(await it.trial.sample(caller), fault, fault.edges[0]) });
    it.expect(refused, { code: "validation_error" });
    await expectCalls(refused);
    const { quota = 0, remaining } = windowsOf(refused).get("month") ?? {};
    if (remaining !== quota - calls) it.fault(`the refusal has ${remaining} of ${quota} remaining`, refused);
    await expectCalls(await it.ask({ caller, method: "PUT" }));
  },
);

/** The limits of a route, and what it costs. */
export const limitClaims: Family = ({ access }, { isLab }) => {
  if (!isLab) return [];
  const ofLimit = { standard, light: [light], none: [unlimited] }[access.limit];
  return [...ofLimit, ...(access.auth === "none" ? [] : [metering])];
};
