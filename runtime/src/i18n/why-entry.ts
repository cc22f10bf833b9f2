/** One reason in both languages. */
export interface WhyEntry<Values> {
  en(values: Values): string
  zh(values: Values): string
}

export function reason<Values = void>(
  en: (values: Values) => string,
  zh: (values: Values) => string,
): WhyEntry<Values> {
  return { en, zh }
}
