/** The interface's own words, in the browser's language or the one that the menu has set. */
import english from "./words.en.js";

/** The languages that there are, by their own names; each but English is loaded when it is used. */
export const LANGUAGES = { en: "English", de: "Deutsch" };

let words = english;

/** Loads the words of the language; to be awaited before anything is said. */
export async function learn() {
  const wanted = localStorage.getItem("language") ?? navigator.language.slice(0, 2);
  const language = wanted in LANGUAGES ? wanted : "en";
  if (language === "de") words = (await import("./words.de.js")).default;
  document.documentElement.lang = language;
}

/** A word or sentence, its blanks filled. @param {keyof typeof english} word @param {Record<string, string | number>} [blanks] */
export function say(word, blanks = {}) {
  return words[word].replace(/\{(\w+)\}/g, (whole, name) => String(blanks[name] ?? whole));
}

/** "a, b and c" @param {string[]} names */
export const list = (names) => new Intl.ListFormat(document.documentElement.lang).format(names);

/** A sentence out of a phrase: a capital, and a stop if there is none. @param {string} phrase */
export function sentence(phrase) {
  const text = phrase.charAt(0).toUpperCase() + phrase.slice(1);
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
