/** What is said to designers alone, in the language of the page. */
const WORDS = {
  en: {
    where: "Where in the rules?",
    nowhere: "Nothing in the rules is known of this.",
    file: "File",
    rules: "The rules",
    save: "Save",
    close: "Close",
    unsaved: "What you changed here is not saved. Leave it?",
  },
  de: {
    where: "Wo in den Regeln?",
    nowhere: "Davon wissen die Regeln nichts.",
    file: "Datei",
    rules: "Die Regeln",
    save: "Sichern",
    close: "Schließen",
    unsaved: "Was hier geändert wurde, ist nicht gesichert. Trotzdem weg?",
  },
};

/** @param {keyof typeof WORDS.en} word */
export const say = (word) => (document.documentElement.lang === "de" ? WORDS.de : WORDS.en)[word];
