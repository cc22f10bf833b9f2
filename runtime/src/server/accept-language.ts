/** The language of a response. */
import { type Lang, parseLang } from '../i18n/locale.ts'

/** The supported language the client prefers; else the server's own. */
export function preferredLang(header: string | undefined, own: Lang): Lang {
  const preferences = (header ?? '').split(',').flatMap((preference) => {
    const [name, ...parameters] = preference.split(';')
    const lang = parseLang(name)
    const weight = Number(/^\s*q=([\d.]+)\s*$/.exec(parameters.join(';'))?.[1] ?? 1)
    return lang === undefined || !(weight > 0) ? [] : [{ lang, weight }]
  })
  return preferences.sort((a, b) => b.weight - a.weight)[0]?.lang ?? own
}
