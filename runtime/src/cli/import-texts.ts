/** Texts of `policy import`. */
import type { Lang } from '../base/lang.ts'
import type { ImportNote } from '../outside/permissions/imported.ts'

interface ImportTexts {
  summary(p: { rules: number; notes: number }): string
  notes: Record<ImportNote, string>
  next: string
}

const TEXTS: Record<Lang, ImportTexts> = {
  en: {
    summary: ({ rules, notes }) => `${rules} rules; ${notes} entries need your attention:`,
    notes: {
      oneWord: '* in the middle stands for one word here; asks and denials were widened',
      noEquivalent: 'no equivalent; left out',
      isDefault: 'already so by default; no rule needed',
      hostsByName: 'addresses are allowed by name here: add rules with "host", or agent.security.allowedHosts',
      stricterWins:
        'has later exceptions there; here the stricter rule would win, so it was left out. Write it by hand',
      alwaysJudged: 'every call is judged here; see agent.security.autonomy',
      absoluteFolder: 'folders are opened by absolute path: add it to agent.security.writePaths',
      notUnderstood: 'not understood; left out',
    },
    next: 'Put this into your own agent.config.json, then run `writ config check` and `writ policy explain --call`.',
  },
  zh: {
    summary: ({ rules, notes }) => `${rules} 条规则；${notes} 个条目需要你留意：`,
    notes: {
      oneWord: '中间的 * 在这里只代表一个词；询问和拒绝已相应放宽匹配',
      noEquivalent: '没有对应项，已略去',
      isDefault: '默认即如此，不需要规则',
      hostsByName: '这里按名称允许地址：请用 "host" 添加规则，或设置 agent.security.allowedHosts',
      stricterWins: '在原处有后续例外；这里更严格的规则优先，因此已略去，请手工编写',
      alwaysJudged: '这里每个调用都要判定；参见 agent.security.autonomy',
      absoluteFolder: '文件夹需用绝对路径：请加入 agent.security.writePaths',
      notUnderstood: '无法理解，已略去',
    },
    next: '请放入你自己的 agent.config.json，然后运行 `writ config check` 和 `writ policy explain --call`。',
  },
}

export function importTexts(lang: Lang): ImportTexts {
  return TEXTS[lang]
}
