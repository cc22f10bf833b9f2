/** Which language an answer is written in. */
import { type Lang, parseLang } from '../i18n/locale.ts'

/** The one the client likes best among those spoken here; else the server's own. */
export function langAsked(header: string | undefined, own: Lang): Lang {
  const wishes = (header ?? '').split(',').flatMap((wish) => {
    const [name, ...about] = wish.split(';')
    const lang = parseLang(name)
    const weight = Number(/^\s*q=([\d.]+)\s*$/.exec(about.join(';'))?.[1] ?? 1)
    return lang === undefined || !(weight > 0) ? [] : [{ lang, weight }]
  })
  return wishes.sort((a, b) => b.weight - a.weight)[0]?.lang ?? own
}
