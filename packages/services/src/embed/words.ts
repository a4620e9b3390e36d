/** What a badge or an embedded page says, in its reader's language. */
import type { DecimalText, SHOWN_LANGUAGES } from "@assay/contract";
import type { StaleReason } from "@assay/pricing";
import { LRUCache } from "lru-cache";

export type ShownLanguage = (typeof SHOWN_LANGUAGES)[number];

/** One language. Counts are written by the caller, in the digits of the language. */
interface Words {
  /** Names by the catalogue's; a metal or unit that is not here keeps the catalogue's own. */
  readonly metals: Readonly<Record<string, string>>;
  readonly units: Readonly<Record<string, string>>;
  readonly karat: (count: string) => string;
  readonly per: (metal: string, unit: string) => string;
  readonly live: string;
  readonly late: (minutes: string) => string;
  /** What stands before the price's moment, if anything. */
  readonly of: string;
  readonly end: string;
  readonly stale: string;
  readonly reasons: Readonly<Record<StaleReason, string>>;
  readonly noPrice: string;
  readonly simulated: string;
  readonly replay: string;
  readonly lost: string;
  readonly closes: (days: string) => string;
}

export const WORDS: Readonly<Record<ShownLanguage, Words>> = {
  en: {
    metals: {},
    units: { oz: "troy ounce", troy_ounce: "troy ounce", kg: "kilogram" },
    karat: (count) => `${count} karat`,
    per: (metal, unit) => `${metal}, per ${unit}`,
    live: "Live",
    late: (minutes) => `${minutes} minutes late`,
    of: "of ",
    end: ".",
    stale: "Stale",
    reasons: { market_closed: "market closed", feed_down: "feed down", fx_fallback: "daily currency rate" },
    noPrice: "No price",
    simulated: "Simulated, not a market price",
    replay: "Replayed, not a market price",
    lost: "Not renewed: the service does not answer.",
    closes: (days) => `Daily closes of the last ${days} days`,
  },
  de: {
    metals: { gold: "Gold", silver: "Silber", copper: "Kupfer", platinum: "Platin", palladium: "Palladium" },
    units: {
      oz: "Feinunze",
      troy_ounce: "Feinunze",
      gram: "Gramm",
      kg: "Kilogramm",
      pound: "Pfund",
      tola: "Tola",
      tael: "Tael",
      ten_gram: "10 g",
      baht: "Baht",
    },
    karat: (count) => `${count} Karat`,
    per: (metal, unit) => `${metal}, je ${unit}`,
    live: "Live",
    late: (minutes) => `${minutes} Minuten verspätet`,
    of: "von ",
    end: ".",
    stale: "Nicht aktuell",
    reasons: { market_closed: "Markt geschlossen", feed_down: "Quelle ausgefallen", fx_fallback: "Tageskurs der Währung" },
    noPrice: "Kein Preis",
    simulated: "Simuliert, kein Marktpreis",
    replay: "Aufzeichnung, kein Marktpreis",
    lost: "Nicht aktualisiert: Der Dienst antwortet nicht.",
    closes: (days) => `Tagesschlusskurse der letzten ${days} Tage`,
  },
  hi: {
    metals: { gold: "सोना", silver: "चाँदी", copper: "ताँबा", platinum: "प्लैटिनम", palladium: "पैलेडियम" },
    units: {
      oz: "ट्रॉय औंस",
      troy_ounce: "ट्रॉय औंस",
      gram: "ग्राम",
      kg: "किलोग्राम",
      pound: "पाउंड",
      tola: "तोला",
      tael: "ताएल",
      ten_gram: "10 ग्राम",
      baht: "बाट",
    },
    karat: (count) => `${count} कैरेट`,
    per: (metal, unit) => `${metal}, प्रति ${unit}`,
    live: "लाइव",
    late: (minutes) => `${minutes} मिनट की देरी से`,
    of: "",
    end: "।",
    stale: "पुराना भाव",
    reasons: { market_closed: "बाज़ार बंद", feed_down: "स्रोत उपलब्ध नहीं", fx_fallback: "मुद्रा की दैनिक दर" },
    noPrice: "भाव उपलब्ध नहीं",
    simulated: "कृत्रिम भाव, बाज़ार भाव नहीं",
    replay: "रिकॉर्ड किया गया भाव, बाज़ार भाव नहीं",
    lost: "अपडेट नहीं हुआ: सेवा उत्तर नहीं दे रही है।",
    closes: (days) => `पिछले ${days} दिनों के बंद भाव`,
  },
  ar: {
    metals: { gold: "الذهب", silver: "الفضة", copper: "النحاس", platinum: "البلاتين", palladium: "البلاديوم" },
    units: {
      oz: "أونصة",
      troy_ounce: "أونصة",
      gram: "غرام",
      kg: "كيلوغرام",
      pound: "رطل",
      tola: "تولة",
      tael: "تايل",
      ten_gram: "10 غرامات",
      baht: "بات",
    },
    karat: (count) => `عيار ${count}`,
    per: (metal, unit) => `${metal}، لكل ${unit}`,
    live: "مباشر",
    late: (minutes) => `متأخر ${minutes} دقيقة`,
    of: "",
    end: ".",
    stale: "سعر قديم",
    reasons: { market_closed: "السوق مغلق", feed_down: "المصدر متوقف", fx_fallback: "سعر صرف يومي" },
    noPrice: "لا يوجد سعر",
    simulated: "محاكاة، وليس سعر سوق",
    replay: "بيانات مسجلة، وليس سعر سوق",
    lost: "لم يُحدَّث: الخدمة لا تستجيب.",
    closes: (days) => `أسعار الإغلاق اليومية لآخر ${days} يومًا`,
  },
  tr: {
    metals: { gold: "Altın", silver: "Gümüş", copper: "Bakır", platinum: "Platin", palladium: "Paladyum" },
    units: {
      oz: "ons",
      troy_ounce: "ons",
      gram: "gram",
      kg: "kilogram",
      pound: "libre",
      tola: "tola",
      tael: "tael",
      ten_gram: "10 gram",
      baht: "baht",
    },
    karat: (count) => `${count} ayar`,
    per: (metal, unit) => `${metal}, ${unit} fiyatı`,
    live: "Canlı",
    late: (minutes) => `${minutes} dakika gecikmeli`,
    of: "",
    end: ".",
    stale: "Güncel değil",
    reasons: { market_closed: "piyasa kapalı", feed_down: "kaynak yanıt vermiyor", fx_fallback: "günlük döviz kuru" },
    noPrice: "Fiyat yok",
    simulated: "Simülasyon, piyasa fiyatı değil",
    replay: "Kayıttan oynatma, piyasa fiyatı değil",
    lost: "Yenilenemedi: hizmet yanıt vermiyor.",
    closes: (days) => `Son ${days} günün kapanışları`,
  },
  zh: {
    metals: { gold: "黄金", silver: "白银", copper: "铜", platinum: "铂金", palladium: "钯金" },
    units: {
      oz: "盎司",
      troy_ounce: "盎司",
      gram: "克",
      kg: "千克",
      pound: "磅",
      tola: "托拉",
      tael: "香港两",
      ten_gram: "10克",
      baht: "泰铢重",
    },
    karat: (count) => `${count}K`,
    per: (metal, unit) => `${metal}，每${unit}`,
    live: "实时",
    late: (minutes) => `延迟${minutes}分钟`,
    of: "",
    end: "。",
    stale: "价格未更新",
    reasons: { market_closed: "休市", feed_down: "数据源中断", fx_fallback: "按每日汇率" },
    noPrice: "暂无价格",
    simulated: "模拟行情，非市场价格",
    replay: "历史回放，非市场价格",
    lost: "未能更新：服务没有响应。",
    closes: (days) => `近${days}天收盘价`,
  },
};

export const isRightToLeft = (language: ShownLanguage): boolean => language === "ar";

/** Arabic by itself no longer has the digits that its shops write. */
const localeOf = (language: ShownLanguage): string => (language === "ar" ? "ar-u-nu-arab" : language);

const decimalsOf = (text: string): number => text.split(".")[1]?.length ?? 0;

/** Making a form takes a hundred times as long as using it: those used lately are kept, by what they are made of. */
const FORMS_KEPT = 64;
const keptForms = <Form extends object, Parts extends readonly [ShownLanguage, ...unknown[]]>(
  make: (...parts: Parts) => Form,
) => {
  const kept = new LRUCache<string, Form>({ max: FORMS_KEPT });
  return (...parts: Parts): Form => {
    const name = parts.join(" ");
    const form = kept.get(name) ?? make(...parts);
    kept.set(name, form);
    return form;
  };
};

const priceForm = keptForms(
  (language: ShownLanguage, currency: string, decimals: number) =>
    new Intl.NumberFormat(localeOf(language), {
      style: "currency",
      currency,
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    }),
);
const countForm = keptForms((language: ShownLanguage) => new Intl.NumberFormat(localeOf(language)));
const momentForm = keptForms(
  (language: ShownLanguage) =>
    new Intl.DateTimeFormat(localeOf(language), {
      dateStyle: "medium",
      timeStyle: "short",
      timeZone: "UTC",
      calendar: "gregory",
    }),
);

/**
 * A price as the language writes amounts of its currency.
 * @param price decimal text, every digit of which is kept
 */
export const writtenPrice = (price: DecimalText, currency: string, language: ShownLanguage): string =>
  priceForm(language, currency, decimalsOf(price)).format(price as Intl.StringNumericLiteral); // as text, never as a number

/** A count in the digits of the language. */
export const writtenCount = (count: number, language: ShownLanguage): string => countForm(language).format(count);

/** Day and minute of UTC. */
export const writtenMoment = (instantMs: number, language: ShownLanguage): string =>
  `${momentForm(language).format(instantMs)} UTC`;
