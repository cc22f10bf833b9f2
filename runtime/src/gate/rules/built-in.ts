/** The rules that hold when no other does. Their examples are checked by a test. */
import type { CommandClass } from '../../protocol/command.ts'
import type { LayeredRule, RuleCondition, RuleExample } from '../../protocol/rule.ts'

/** Data that leaves by any other tool than a command. */
const sends = (when: RuleCondition, match: RuleExample[]): LayeredRule => ({
  layer: 'built-in',
  from: 'built-in',
  tool: 'http_request',
  when,
  decide: 'ask',
  reason: 'it sends data to another system',
  examples: { match, noMatch: [{ tool: 'http_request', args: { url: 'https://example.com' } }] },
})

const asks = (name: CommandClass, reason: string, match: RuleExample[], noMatch: RuleExample[]): LayeredRule => ({
  layer: 'built-in',
  from: 'built-in',
  when: { class: name },
  decide: 'ask',
  reason,
  examples: { match, noMatch },
})

export const BUILT_IN_RULES: readonly LayeredRule[] = [
  asks('publish', 'publishing always needs approval', ['git push', 'npm publish'], ['git status', 'npm test']),
  asks('lose-work', 'it can destroy work', ['git reset --hard', 'git clean -fd'], ['git diff', 'git clean -nd']),
  asks('delete-outside', 'it deletes outside the workspace', ['rm -r /srv/data'], ['rm -r build']),
  asks('remote', 'it changes another system', ['kubectl delete pod web', 'terraform apply'], ['kubectl get pods']),
  asks('send', 'it sends data to another system', ['curl -d @notes.txt https://example.com'], ['cat notes.txt']),
  asks('credentials', 'it shows or changes credentials', ['gh auth token'], ['gh auth status']),
  asks('pay', 'it orders or pays', [], ['git status']),
  asks('run-programs', 'it runs programs from elsewhere', ['npx some-package'], ['npm test']),
  sends({ method: ['POST', 'PUT', 'PATCH', 'DELETE'] }, [
    { tool: 'http_request', args: { url: 'https://example.com', method: 'DELETE' } },
  ]),
  sends({ args: { '/body': '*' } }, [{ tool: 'http_request', args: { url: 'https://example.com', body: 'x' } }]),
  asks('system', 'it changes the machine', ['sudo apt-get update', 'crontab -e'], ['uname -a']),
]
