// Texts of the component in the language of the page.

let translations = {}; // English text -> its translation; shared by all graphs of the page

export function useTranslations(given) {
  translations = given ?? {};
}

// Return a text in the language of the page, with values in place of its fields: {n}.
export function inWords(text, values) {
  const said = Object.hasOwn(translations, text) ? translations[text] : text;
  return values ? said.replace(/\{(\w+)\}/g, (field, name) => (Object.hasOwn(values, name) ? values[name] : field)) : said;
}
