/**
 * The words of the page in the reader's language: one file of messages per language, of which the English one is always here and the
 * others are loaded when chosen.
 */
import { computed, effect, signal } from "@preact/signals";
import { remembered } from "../data/memory.ts";
import en from "./en.json" with { type: "json" };
import type { Text } from "./generated/messages.ts";
import { apart } from "./marks.ts";
import { bind, type Messages } from "./message.ts";

export type { Text } from "./generated/messages.ts";

/** The languages, each by its own name. */
export const LANGUAGES = {
  en: "English",
  de: "Deutsch",
  hi: "हिन्दी",
  ar: "العربية",
  tr: "Türkçe",
  zh: "中文",
} as const;
/** A language. */
export type Language = keyof typeof LANGUAGES;

/** All of them. */
export const CODES = Object.keys(LANGUAGES) as Language[]; // the keys of a literal

const languageOf = (tag: string): Language | undefined => CODES.find((code) => code === tag.toLowerCase().split("-")[0]);

/** The first language of a reader that the console has; English for one who has none of them. */
export const firstOf = (tags: readonly string[]): Language => tags.map(languageOf).find((one) => one !== undefined) ?? "en";

/** How the reader writes a language: their own variety, such as `de-CH`, whose figures differ, or the language itself. */
export const localeOf = (language: Language, tags: readonly string[]): string =>
  tags.find((tag) => languageOf(tag) === language) ?? language;

/** Which way its text runs. */
export const directionOf = (language: Language): "ltr" | "rtl" => (language === "ar" ? "rtl" : "ltr");

const FILES: Readonly<Record<Language, () => Promise<{ readonly default: Messages }>>> = {
  en: async () => ({ default: en }),
  de: () => import("./de.json", { with: { type: "json" } }),
  hi: () => import("./hi.json", { with: { type: "json" } }),
  ar: () => import("./ar.json", { with: { type: "json" } }),
  tr: () => import("./tr.json", { with: { type: "json" } }),
  zh: () => import("./zh.json", { with: { type: "json" } }),
};

/** The name of the choice in an address. */
const NAMED = "lang";

// A suite runs without a browser, and in English.
const TAGS: readonly string[] = globalThis.navigator?.languages ?? [];
const inAddress = (): string | null => new URLSearchParams(globalThis.location?.search).get(NAMED);
/** What the reader's browser asks for. */
const USUAL = firstOf(TAGS);

/** The language that was chosen; it is shown as soon as its lines are here. */
export const chosen = remembered<Language>(NAMED, CODES, USUAL, inAddress());

/** The messages of a language, for `Intl` as its readers write it. */
const linesOf = (messages: Messages, one: Language): Text => bind(messages, localeOf(one, TAGS)) as Text; // its shape is tested

const shown = signal<{ readonly language: Language; readonly lines: Text }>({ language: "en", lines: linesOf(en, "en") });

/** The language that is shown. */
export const language = computed(() => shown.value.language);
/** The same with the reader's own habits, for `Intl`. */
export const locale = computed(() => localeOf(shown.value.language, TAGS));
/** Which way its text runs. */
export const direction = computed(() => directionOf(shown.value.language));

/** The lines of the language that is shown; components that read them are drawn again when it changes. */
export const text = (): Text => shown.value.lines;

/** Names one after another, set apart from each other where text runs the other way. */
export const listText = (names: readonly string[]): string =>
  (direction.value === "rtl" ? names.map(apart) : names).join(text().names.separator);

/**
 * The line of a code.
 * @param otherwise for a code that is newer than the file
 */
export const lineOf = (lines: Readonly<Record<string, string>>, code: string, otherwise: string): string =>
  (Object.hasOwn(lines, code) ? lines[code] : undefined) ?? otherwise;

/**
 * A sentence that the service publishes in English: there as it is, which may be newer than the message, elsewhere as translated.
 * @param translated the message for it
 */
export const sentenceOf = (published: string, translated: string): string => (language.value === "en" ? published : translated);

/** Why a reading was refused or failed, by the service's word. */
export const ruleText = (rule: string): string => lineOf(text().rules, rule, rule.replaceAll("_", " "));

/** Why a price is stale, as the end of a sentence. */
export const staleText = (reason: string | undefined): string => lineOf(text().stale, reason ?? "", text().stale.other);

/** Loads the chosen language and shows it; where its lines cannot be had, what was shown stays. */
export const speak = async (): Promise<void> => {
  const wanted = chosen.value;
  if (wanted === shown.peek().language) return;
  const file = await FILES[wanted]().catch(() => null);
  if (file !== null && chosen.peek() === wanted) shown.value = { language: wanted, lines: linesOf(file.default, wanted) };
};

/** Takes the language that an address names; one that names none changes nothing. */
export const readLanguage = (): void => {
  const named = CODES.find((code) => code === inAddress());
  if (named !== undefined) chosen.value = named;
};

/** Puts the language into the search part of an address, where it is not what the browser asks for anyway. */
export const withLanguage = (search: URLSearchParams): URLSearchParams => {
  if (chosen.value === USUAL) search.delete(NAMED);
  else search.set(NAMED, chosen.value);
  return search;
};

/**
 * Done once the first page can be drawn in its language. It is not awaited here: a language is code of its own that needs
 * this one's to be complete.
 */
export const isSpoken: Promise<void> = speak();
effect(() => void speak());
