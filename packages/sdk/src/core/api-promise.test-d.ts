/** The types of a call and a list: checked by `tsc -p tsconfig.tests.json`. */
import { expectTypeOf } from "vitest";
import {
  type Bar,
  type Bars,
  getSpot,
  listBars,
  type Spot,
  type WireBar,
  type WireBars,
  type WireSpot,
} from "../testing/operations.ts";
import type { ApiPromise, WithResponse } from "./api-promise.ts";
import { Client } from "./client.ts";
import { listPages } from "./pages/list-pages.ts";
import type { PagePromise } from "./pages/page-promise.ts";
import { Decimal, PublishedDecimal } from "./published-decimal.ts";

const client = new Client();

const call = client.call(getSpot, { symbol: "XAU" });
expectTypeOf(call).toEqualTypeOf<ApiPromise<Spot, WireSpot>>();
expectTypeOf<Awaited<typeof call>>().toEqualTypeOf<Spot>();
expectTypeOf(call.raw()).toEqualTypeOf<ApiPromise<WireSpot, WireSpot>>();
expectTypeOf(call.withResponse()).toEqualTypeOf<Promise<WithResponse<Spot>>>();
expectTypeOf(call.then((spot) => spot.symbol)).toEqualTypeOf<Promise<string>>();
expectTypeOf(call).toExtend<Promise<Spot>>();
// Rejections are typed as for any promise, in handlers too.
const plain: Promise<Spot> = call.finally();
expectTypeOf(call.then(null, (error) => error.message)).toEqualTypeOf(plain.then(null, (error) => error.message));
expectTypeOf(call.catch((error) => error.message)).toEqualTypeOf(plain.catch((error) => error.message));

const list: PagePromise<Bars, WireBars, Bar, WireBar> = listPages(client, listBars, {});
expectTypeOf<Awaited<typeof list>>().toEqualTypeOf<Bars>();
expectTypeOf(list.pages()).toEqualTypeOf<AsyncGenerator<Bars, void, undefined>>();
expectTypeOf(list.toArray({ limit: 5 })).toEqualTypeOf<Promise<Bar[]>>();
expectTypeOf(list.raw()).toEqualTypeOf<PagePromise<WireBars, WireBars, WireBar, WireBar>>();
expectTypeOf(list).toExtend<AsyncIterable<Bar>>();
expectTypeOf(list).toExtend<ApiPromise<Bars, WireBars>>();

expectTypeOf(new PublishedDecimal("1").plus(1)).toEqualTypeOf<Decimal>();
expectTypeOf(new PublishedDecimal("1")).toExtend<Decimal>();
expectTypeOf(new Decimal(1)).toEqualTypeOf<Decimal>();

// @ts-expect-error a timeout is a number of milliseconds
client.call(getSpot, { symbol: "XAU" }, { timeoutMs: "5s" });
