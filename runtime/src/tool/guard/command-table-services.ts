/** Classes of clients for other systems: code hosts, clouds, databases, the network. */
import type { CommandClass } from '../../protocol/command.ts'
import { isReadingSql } from './command-code.ts'
import { verbByName } from './command-names.ts'
import { ANY, all, type CommandCall, type CommandExamples, type CommandTable, option } from './command-row.ts'
import { readOptions } from './option-list.ts'
import { hasOption, optionIn, partWords, type Spelling } from './options.ts'
import { requestOf } from './web-clients.ts'

const GH: Spelling = { long: 'repo hostname branch workflow limit state json jq template', letters: 'RBLqt' }
const AWS =
  '--profile= --region= --output= --query= --no-cli-pager --no-paginate --no-sign-request --no-verify-ssl --cli-read-timeout= --cli-connect-timeout= --color= --debug --page-size= --max-items='
const CLOUD =
  'g:n:o:s:l:q --profile= --region= --output= --query= --project= --subscription= --resource-group= --zone= --zones= --format= --filter= --name= --limit= --sort-by= --page-size= --account= --verbosity= --configuration= --billing-project= --location= --cluster= --uri --only-show-errors --all --namespace= --service= --ids= --freshness= --order='

export const SERVICE_TABLE: CommandTable = {
  gh: {
    is: 'read',
    takes: GH,
    verbs: {
      read: 'pr list, pr view, pr diff, pr checks, pr status, pr ls, issue list, issue view, issue status, issue ls, run list, run view, run watch, run ls, repo view, repo list, release list, release view, workflow list, workflow view, auth status, label list, search, gist list, gist view, status, cache list, variable list, variable get, secret list, ruleset list, ruleset view, ruleset check, project list, project view, org list, extension list, help, version, alias list, config get, config list, attestation verify, api, codespace list',
      change: 'pr checkout, repo clone, release download, run download, gist clone, repo set-default',
      credentials: 'auth, secret, ssh-key, gpg-key',
      'run-programs': 'extension, alias, codespace, copilot',
    },
    other: 'publish',
    options: [option('credentials', { long: 'show-token', not: 's sh sho show' })],
    check: checkApi,
    allows:
      'X:s:l:a:A:B:H:S:u:e:cdvimj: --method= --header= --paginate --slurp --include --cache= --preview= --label= --assignee= --author= --base= --head= --search= --draft --comments --name-only --patch --watch --required --interval= --fail-fast --user= --event= --commit= --status= --log --log-failed --job= --exit-status --attempt= --mention= --milestone= --app= --owner= --visibility= --language= --topic= --archived --no-archived --fork --source --order= --sort= --extension= --filename= --match= --size= --exclude-drafts --exclude-pre-releases --all --yaml --ref= --env= --org= --active --public --secret --filter= --files --raw',
  },
  glab: {
    is: 'read',
    takes: GH,
    verbs: {
      read: 'mr list, mr view, mr diff, issue list, issue view, ci list, ci status, ci view, ci trace, ci get, repo view, repo list, release list, release view, label list, auth status, api, version',
      change: 'mr checkout, repo clone, release download',
      credentials: 'auth, variable, token, ssh-key',
    },
    other: 'publish',
    check: checkApi,
    allows:
      'X:p:P:a:l: --method= --header= --paginate --include --per-page= --page= --label= --author= --assignee= --search= --output= --comments --raw --all --closed --merged --opened --draft',
  },
  aws: { is: 'read', check: checkAws, allows: ANY },
  ...all('gcloud bq gsutil az doctl ibmcloud oci scw hcloud linode-cli', {
    is: 'read',
    check: checkCloud,
    allows: CLOUD,
  }),
  heroku: {
    is: 'read',
    verbs: {
      read: 'apps, apps:info, info, logs, ps, releases, addons, status, version, domains, pg:info',
      credentials: 'config, config:get, auth:token',
    },
    other: 'remote',
    allows: 'a:n:s:p:d:r: --app= --num= --source= --dyno= --ps= --tail --remote= --all',
  },
  ...all('fly flyctl railway render', {
    is: 'read',
    verbs: {
      read: 'status, logs, apps list, releases, machine list, machines list, version, list, regions list, platform regions',
      credentials: 'auth, tokens, variables',
    },
    other: 'remote',
    allows: 'a:c: --app= --config= --instance= --region=',
  }),
  vercel: {
    is: 'publish',
    verbs: { read: 'ls, list, inspect, logs, whoami, help', build: 'build, dev', credentials: 'env, login, logout' },
    other: 'publish',
  },
  netlify: {
    is: 'read',
    verbs: { read: 'status, sites:list, help', build: 'build, dev', credentials: 'env:list, env:get, login' },
    other: 'publish',
  },
  wrangler: {
    is: 'read',
    verbs: {
      read: 'whoami, tail, deployments list, version, types',
      build: 'dev, check',
      credentials: 'login, logout, secret',
    },
    other: 'remote',
  },
  ...all(
    'firebase supabase planetscale pscale neonctl turso amplify eb ecs-cli eksctl copilot nomad consul cloudflared ngrok sentry-cli datadog-ci newrelic launchdarkly ldcli',
    { is: 'read', verbs: { read: 'status, version, help, projects:list' }, other: 'remote' },
  ),
  stripe: { is: 'read', verbs: { read: 'version, help, status', build: 'listen' }, other: 'pay' },

  psql: {
    is: 'remote',
    check: checkSql,
    allows:
      'c:d:h:p:U:F:R:XAtqlwx1eEaH --command= --dbname= --host= --port= --username= --no-psqlrc --no-align --tuples-only --expanded --list --no-password --csv --single-transaction --field-separator= --html',
  },
  ...all('mysql mariadb', {
    is: 'remote',
    check: checkSql,
    allows:
      'e:h:P:u:D:p?BNtEsrvH --execute= --host= --port= --user= --database= --batch --skip-column-names --table --vertical --password? --raw --protocol=',
  }),
  duckdb: { is: 'remote', check: checkSql, allows: '-c= -csv -json -readonly -markdown -line -box -table' },
  ...all('sqlcmd clickhouse-client cockroach', {
    is: 'remote',
    check: checkSql,
    allows: 'e:c:q: --execute= --command= --query= --host= --database= --format=',
  }),
  sqlite3: { is: 'lose-work', check: checkSqlite, allows: ANY },
  ...all(
    'mongosh mongo mysqladmin pg_restore mysqlimport dropdb createdb createuser dropuser mongoimport mongorestore pgbench redis-server etcdctl influx',
    { is: 'remote' },
  ),
  ...all('pg_dump pg_dumpall mysqldump mongodump mongoexport', { is: 'change' }),
  pg_isready: { is: 'read', allows: 'h:p:U:d:t:' },
  'redis-cli': {
    is: 'remote',
    check: checkRedis,
    allows: 'h:p:n:u:a:i:r:s: --user= --pass= --raw --no-raw --csv --no-auth-warning --tls',
  },

  ...all('curl wget http https xh httpie aria2c lynx w3m links wget2 curlie', { is: 'fetch', check: checkWeb }),
  ...all('ping dig nslookup host traceroute whois mtr drill getent', { is: 'fetch' }),
  ...all('ssh mosh telnet autossh', { is: 'remote' }),
  ...all(
    'scp sftp ftp lftp nc ncat netcat socat mail mailx sendmail mutt msmtp swaks rclone croc magic-wormhole wormhole',
    { is: 'send' },
  ),
  rsync: {
    is: 'change',
    options: [
      option('lose-work', {
        long: 'delete delete-before delete-during delete-delay delete-after delete-excluded remove-source-files',
        not: 'd de',
      }),
      option('run-programs', { long: 'rsh rsync-path', letters: 'e', valued: 'fBMT' }),
    ],
    words: [{ word: /^[^/=]*[\w\]]:|^rsync:/, is: 'send' }],
  },
}

export const SERVICE_EXAMPLES: CommandExamples = {
  read: [
    'gh pr list',
    'gh auth status',
    'gh api repos/a/b',
    'aws s3 ls',
    'aws ec2 describe-instances',
    'gcloud compute instances list',
    'az group show -n a',
    "psql -c 'select 1'",
    "sqlite3 a.db '.tables'",
    "sqlite3 a.db 'SELECT * FROM a'",
    'redis-cli get a',
  ],
  fetch: ['curl -s https://example.com', 'wget -q https://example.com/a'],
  unknown: [
    'az --frobnicate list vm delete',
    'aws --ca-bundle help ec2 terminate-instances',
    'aws s3api get-object --bucket a --key b c',
    'psql -c "select 1" -o a',
    'mysql -e "select 1" --tee a',
  ],
  publish: ['gh pr create', 'gh pr merge 1', 'gh release create v1', 'vercel', 'gh frobnicate'],
  remote: [
    'gh api -X DELETE repos/a/b',
    'gh api -X GET -X DELETE repos/a/b',
    'gcloud --verbosity info compute instances delete a',
    'gcloud --account list projects delete a',
    'gh api repos/a/b/issues -f title=x',
    'aws s3 rm s3://a',
    'aws ec2 terminate-instances',
    'gcloud projects delete a',
    'az group delete -n a',
    "psql -c 'drop table a'",
    'psql -f a.sql',
    'redis-cli flushall',
    'ssh a',
    "psql -c 'select 1; delete from a'",
  ],
  send: [
    'curl -d @a https://example.com',
    'curl -sX DELETE https://example.com/a',
    'curl -T a https://example.com',
    'scp a b:c',
    'rsync -a . host:x',
    'nc a 1',
    'http POST example.com a=b',
  ],
  'lose-work': ["sqlite3 a.db 'delete from a'", 'rsync -a --delete a/ b/'],
  credentials: [
    'gh auth token',
    'gh auth status --show-token',
    'gh secret set A',
    'aws configure',
    'gcloud auth print-access-token',
    'aws secretsmanager get-secret-value',
    'az account get-access-token',
  ],
  pay: ['stripe charges create', 'aws ec2 purchase-reserved-instances-offering'],
}

function checkApi({ args }: CommandCall): CommandClass {
  const { words } = partWords(args, GH)
  if (words[0] !== 'api') return 'read'
  // The last one counts.
  const methods = args.flatMap((arg, i) => {
    const value = optionIn(arg, { long: 'method', letters: 'X', valued: 'HqtpfFR' })
    return value === undefined ? [] : [value === '' ? (args[i + 1] ?? '') : value]
  })
  if (methods.length > 0) return methods.every((method) => /^(get|head)$/i.test(method)) ? 'read' : 'remote'
  return hasOption(args, { long: 'field raw-field input form', letters: 'fF', valued: 'XHqtp' }) ? 'remote' : 'read'
}

const SECRET =
  /secret|credential|token|password|access-key|auth\b|session-token|presign|login|configure|\bkeys?\b|get-parameter/
const LOOKS =
  /^(describe|list|get|head|ls|search|lookup|batch-get|help|tail|filter-log-events|show|info|version|read|validate|check|wait|get-value|du|stat|cat)(-|$)/
const ACTS =
  /^(create|delete|update|set|add|remove|put|start|stop|restart|reset|run|deploy|apply|import|export|copy|cp|mv|rm|sync|enable|disable|attach|detach|modify|terminate|invoke|send|publish|purchase|move|resize|ssh|scp|submit|execute|patch|replace|rollback|restore|undelete|accept|reject|cancel|tag|untag|grant|revoke|assign|call|up|down|destroy)(-|$)/

/** These show settings; the others that `get` may write what they get to a file. */
const AWS_GETS =
  /^(s3api get-(bucket|public)-[\w-]+|iam get-(user|role|policy|policy-version|role-policy|group|account-summary)|ce get-[\w-]+|cloudwatch get-metric-(data|statistics)|logs get-(log-events|query-results)|cloudformation get-(template|template-summary)|lambda get-(policy|function-configuration|alias)|route53 get-hosted-zone|apigateway get-(rest-apis|resources|stages)|ecr get-lifecycle-policy|organizations? get-[\w-]+)$/

function checkAws({ args }: CommandCall): CommandClass {
  // The options of an operation follow its name.
  const first = readOptions(args, AWS, { leading: true })
  const [service = '', ...rest] = first.words
  const second = readOptions(rest, AWS, { leading: true })
  const [verb = ''] = second.words
  const words = [service, verb]
  if (first.unknown !== undefined || second.unknown !== undefined) return 'unknown'
  if (hasOption(args, { long: 'endpoint-url' })) return 'unknown'
  if (service === 'configure') return verb === 'list' || verb === 'list-profiles' ? 'read' : 'credentials'
  if (service === 'sts' && verb === 'get-caller-identity') return 'read'
  if (service === '') return 'read'
  const is = cloudClass(words)
  return is === 'read' && verb.startsWith('get-') && !AWS_GETS.test(words.join(' ')) ? 'unknown' : is
}

/** The sub-command is the first word that looks up or acts; the words before it are groups. */
function checkCloud({ args }: CommandCall): CommandClass {
  const { words } = readOptions(args, CLOUD)
  const at = words.findIndex((word) => LOOKS.test(word) || ACTS.test(word) || verbByName(word) !== 'unknown')
  return words.length === 0 ? 'read' : cloudClass(at < 0 ? words.slice(0, 4) : words.slice(0, at + 1))
}

function cloudClass(words: readonly string[]): CommandClass {
  const verb = words.at(-1) ?? ''
  if (/^(auth|account) (list|show)$/.test(words.join(' '))) return 'read'
  if (verbByName(verb) === 'pay') return 'pay'
  if (words.some((word) => SECRET.test(word)) || words[0] === 'sts') return 'credentials'
  return LOOKS.test(verb) || /^(help|version|info)$/.test(words[0] ?? '') ? 'read' : 'remote'
}

function checkSql({ args, invocation }: CommandCall): CommandClass {
  if (hasOption(args, { letters: 'f', valued: 'cdhpUeuPDvl', long: 'file' }) || (invocation?.input ?? '') !== '')
    return 'remote'
  if ((invocation?.feeds.length ?? 0) > 0) return 'remote'
  if (args.some((arg) => /^(-l|--list|-V|--version|--help)$/.test(arg))) return 'read'
  const statements = args.flatMap((arg, i) => {
    const found = /^(?:-[a-zA-Z]*[ceqQ]|--(?:command|execute|query))(?:=(.*))?$/s.exec(arg)
    return found === null ? [] : [found[1] ?? args[i + 1] ?? '']
  })
  return statements.length > 0 && statements.every(isReadingSql) ? 'read' : 'remote'
}

function checkSqlite({ args, invocation }: CommandCall): CommandClass {
  const { words, options } = partWords(args, { letters: 'i' })
  const isPlain = options.every((arg) =>
    /^--?(readonly|batch|header|noheader|csv|json|column|line|list|table|box|markdown|html|tabs|bail|version)$/.test(
      arg,
    ),
  )
  const [, ...statements] = words
  if (!isPlain || statements.length === 0 || invocation?.input !== undefined || (invocation?.feeds.length ?? 0) > 0)
    return options.includes('--version') || options.includes('-version') ? 'read' : 'lose-work'
  const reads = (one: string): boolean =>
    /^\.(tables|schema|indexes|indices|databases|headers|mode|width|dbinfo)(\s+[\w%]+)*\s*$/.test(one) ||
    isReadingSql(one)
  return statements.every(reads) ? 'read' : 'lose-work'
}

const REDIS_READS =
  /^(get|mget|exists|ttl|pttl|type|keys|scan|hget|hgetall|hkeys|hlen|lrange|llen|smembers|scard|zrange|zcard|strlen|dbsize|ping|info|time)$/i

function checkRedis({ args }: CommandCall): CommandClass {
  const { words } = partWords(args, { letters: 'hpnuaris', long: 'user pass' })
  return REDIS_READS.test(words[0] ?? '') ? 'read' : 'remote'
}

function checkWeb({ invocation, args }: CommandCall): CommandClass {
  if (args.length === 1 && /^(--version|--help|-V|-h)$/.test(args[0] ?? '')) return 'read'
  const method = invocation === undefined ? undefined : requestOf(invocation)?.method
  if (method === undefined || !/^(GET|HEAD|OPTIONS)$/.test(method)) return 'send'
  const sends = hasOption(args, {
    letters: 'dFT',
    valued: 'bcehmortuwxyzACDEHKPQUXY',
    long: 'data data-raw data-binary data-urlencode data-ascii json form form-string upload-file post-data post-file body-data body-file mail-from quote',
    not: 'fo form-escape j',
  })
  // HTTPie sends `name=value` words.
  const isOther = !['curl', 'wget', 'aria2c'].includes(invocation?.base ?? '')
  return sends || (isOther && args.some((arg) => /^[\w.-]+(:?=@?|@)\S/.test(arg) && !/^https?:/.test(arg)))
    ? 'send'
    : 'fetch'
}
