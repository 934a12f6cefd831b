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
    changed: "This file has been changed elsewhere since it was opened here",
    mine: "Save mine over it",
    theirs: "Take what was saved there",
    undo: "Ctrl+Z brings back what you had typed.",
    saved: "Saved.",
    same: "Nothing had been changed.",
  },
  de: {
    where: "Wo in den Regeln?",
    nowhere: "Davon wissen die Regeln nichts.",
    file: "Datei",
    rules: "Die Regeln",
    save: "Sichern",
    close: "Schließen",
    unsaved: "Was hier geändert wurde, ist nicht gesichert. Trotzdem weg?",
    changed: "Diese Datei wurde anderswo geändert, seit sie hier offen ist",
    mine: "Meine darüber sichern",
    theirs: "Nehmen, was dort gesichert wurde",
    undo: "Strg+Z bringt zurück, was hier stand.",
    saved: "Gesichert.",
    same: "Es war nichts geändert.",
  },
};

/** @param {keyof typeof WORDS.en} word */
export const say = (word) => (document.documentElement.lang === "de" ? WORDS.de : WORDS.en)[word];
