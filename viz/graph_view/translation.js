// Texts of buttons and of the legend in the language of the page.

let translations = {}; // English text -> its translation; shared by all graphs of the page

export function useTranslations(given) {
  translations = given ?? {};
}

export function inWords(text) {
  return Object.hasOwn(translations, text) ? translations[text] : text;
}
