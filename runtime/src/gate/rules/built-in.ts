/** The rules that hold when no other does. Their examples are checked by a test. */
import { gateTexts } from '../../i18n/gate.ts'
import type { AskedClass } from '../../protocol/command.ts'
import type { LayeredRule, RuleCondition, RuleExample } from '../../protocol/rule.ts'

const { asked: WHY } = gateTexts('en')

/** Data that leaves by any other tool than a command. */
const sends = (when: RuleCondition, match: RuleExample[]): LayeredRule => ({
  layer: 'built-in',
  from: 'built-in',
  tool: 'http_request',
  when,
  decide: 'ask',
  reason: WHY.send,
  examples: { match, noMatch: [{ tool: 'http_request', args: { url: 'https://example.com' } }] },
})

const asks = (name: AskedClass, match: RuleExample[], noMatch: RuleExample[]): LayeredRule => ({
  layer: 'built-in',
  from: 'built-in',
  when: { class: name },
  decide: 'ask',
  reason: WHY[name],
  examples: { match, noMatch },
})

export const BUILT_IN_RULES: readonly LayeredRule[] = [
  asks('publish', ['git push', 'npm publish'], ['git status', 'npm test']),
  asks('lose-work', ['git reset --hard', 'git clean -fd'], ['git diff', 'git clean -nd']),
  asks('delete-outside', ['rm -r /srv/data'], ['rm -r build']),
  asks('remote', ['kubectl delete pod web', 'terraform apply'], ['kubectl get pods']),
  asks('send', ['curl -d @notes.txt https://example.com'], ['cat notes.txt']),
  asks('credentials', ['gh auth token'], ['gh auth status']),
  asks('pay', [], ['git status']),
  asks('run-programs', ['npx some-package'], ['npm test']),
  sends({ method: ['POST', 'PUT', 'PATCH', 'DELETE'] }, [
    { tool: 'http_request', args: { url: 'https://example.com', method: 'DELETE' } },
  ]),
  sends({ args: { '/body': '*' } }, [{ tool: 'http_request', args: { url: 'https://example.com', body: 'x' } }]),
  asks('system', ['sudo apt-get update', 'crontab -e'], ['uname -a']),
]

/** In the reader's language; rules that people wrote have their own words. */
export function reasonOf({ layer, when, reason }: LayeredRule, lang: 'en' | 'zh'): string | undefined {
  if (layer !== 'built-in') return reason
  const name = typeof when?.class === 'string' ? (when.class as AskedClass) : 'send'
  return gateTexts(lang).asked[name]
}
