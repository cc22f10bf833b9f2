/** What a configuration says as a whole: problems that involve several keys, and notes for `config check`. */
import { type Lang, messages } from '../i18n/locale.ts'
import { TASK_INTENTS } from '../protocol/intent.ts'
import { type Raw, SCHEMA_KEYS, valueAt } from './keys.ts'
import type { Env } from './places.ts'
import { type Problem, printable, problemText } from './problems.ts'
import { leftOut } from './protective.ts'
import type { AgentConfig } from './schema.ts'

export function notesOn({ origin: file, raw }: { origin: string; raw: Raw }, lang: Lang): string[] {
  const texts = messages(lang).config
  const paths = leftOut(raw)
  const repeated = SCHEMA_KEYS.flatMap(({ path }) =>
    repeatedIn(valueAt(raw, path)).map((name) => printable(texts.repeated({ file, path, name }))),
  )
  return [...(paths.length === 0 ? [] : [texts.blockedAdds({ file, paths })]), ...repeated]
}

function repeatedIn(value: unknown): string[] {
  const names = Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
  return [...new Set(names.filter((name, at) => names.indexOf(name) < at))]
}

/** Checks that involve several keys. */
export function checkWhole(
  config: AgentConfig,
  env: Env,
  findings: { lang: Lang; problems: Problem[]; warnings: string[] },
): void {
  const texts = messages(findings.lang).config
  if (config.model?.startsWith('compatible/') && config.baseURL === undefined) {
    const message = problemText(({ wrongHidden, expected }) => wrongHidden({ expected: expected.baseURL }))
    findings.problems.push({ origin: 'agent.model', path: 'agent.baseURL', message })
  }
  if (config.store === 'postgres' && !env.WRIT_DATABASE_URL) findings.warnings.push(texts.databaseUrl)
  if (config.context.backend === 'redis' && !env.WRIT_REDIS_URL) findings.warnings.push(texts.redisUrl)
  for (const label of TASK_INTENTS) {
    const { enabled, allowedFamilies, softAllowedFamilies, softBlockAfter } =
      config.execution.intentGuard.intents[label]
    const lets = allowedFamilies.length > 0 || (softAllowedFamilies.length > 0 && softBlockAfter > 0)
    if (enabled && !lets) findings.warnings.push(texts.onlyBlocks({ intent: label }))
  }
}
