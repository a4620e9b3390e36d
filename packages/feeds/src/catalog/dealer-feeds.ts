/** The dealers' feeds, by country. */
import type { Feed } from "../feed/feed.ts";
import { chinaGold } from "../sources/dealers/china-gold.ts";
import { chowSangSangCn } from "../sources/dealers/chow-sang-sang-cn.ts";
import { chowTaiFook } from "../sources/dealers/chow-tai-fook.ts";
import { dubaiCityOfGold } from "../sources/dealers/dubai-city-of-gold.ts";
import { edahab } from "../sources/dealers/edahab.ts";
import { emperor } from "../sources/dealers/emperor.ts";
import { fenegosida } from "../sources/dealers/fenegosida.ts";
import { galeri24 } from "../sources/dealers/galeri24.ts";
import { ibja } from "../sources/dealers/ibja.ts";
import { isagha } from "../sources/dealers/isagha.ts";
import { kijangEmas } from "../sources/dealers/kijang-emas.ts";
import { lukFook } from "../sources/dealers/luk-fook.ts";
import { ounceSa } from "../sources/dealers/ounce-sa.ts";
import { pakgold } from "../sources/dealers/pakgold.ts";
import { pnj } from "../sources/dealers/pnj.ts";
import { saudiGoldPrice } from "../sources/dealers/saudi-gold-price.ts";
import { tanaka } from "../sources/dealers/tanaka.ts";
import { treasuryId } from "../sources/dealers/treasury-id.ts";
import { votsFeed } from "../sources/dealers/vots.ts";
import { VOTS_DEALERS } from "../sources/dealers/vots-dealers.ts";

/** Every dealer that needs no key. */
export const DEALER_FEEDS: readonly Feed[] = [
  dubaiCityOfGold,
  chinaGold,
  chowSangSangCn,
  edahab,
  isagha,
  chowTaiFook,
  emperor,
  lukFook,
  galeri24,
  treasuryId,
  ibja,
  ...VOTS_DEALERS.map(votsFeed),
  tanaka,
  kijangEmas,
  fenegosida,
  pakgold,
  ounceSa,
  saudiGoldPrice,
  pnj,
];
