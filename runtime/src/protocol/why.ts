/**
 * A reason as data: a code of `i18n/why.ts` with its values. A plain string is shown as it is: the words of another
 * program, or an English sentence of an older journal.
 */
export type Why = string | { code: string; [value: string]: Why | number }
