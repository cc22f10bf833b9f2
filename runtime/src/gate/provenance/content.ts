/** What a call would pass on or set up that the user's words do not speak of. */
import { isObject } from '../../base/json.ts'
import { fitting } from '../../language/fitting-pattern.ts'
import type { ReadText } from '../read-text.ts'
import { hostOf } from '../targets-in-text.ts'
import type { Doubt, Evidence } from './evidence.ts'
import { isSiteOfWords } from './sites.ts'

/** What is not for others: how one gets in, who one is, what one owns and earns. Of small letters. */
const SECRET =
  /\b(?:pass(?:word|code|phrase|port)s?|credentials?|secrets?|(?:api|access|private|ssh)[ _-]?keys?|cvv|card (?:number|no)|iban|account (?:number|no|balance)s?|balances?|salar(?:y|ies)|payslips?|social security|ssn|tax (?:id|number|no)|id (?:card|copy)|date of birth|otp|(?:sign.?in|verification|security|one.time) codes?|medical|diagnos\w*|bank statements?|mortgage)\b|密码|口令|验证码|身份证|银行卡|卡号|工资|薪资|余额|密钥|令牌|证件|护照|病历|社保|体检报告/g
/** Keys, as programs write them. */
const KEY =
  /-----BEGIN [A-Z ]*PRIVATE KEY|\b[A-Z][A-Z\d_]*(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PWD)[A-Z\d_]* ?[=:] ?\S{4}|\b(?:sk|rk|pk|ghp|gho|xox[bp])[-_]\w*[A-Za-z\d]{6}|\bAKIA[A-Z\d]{12}/
/** Files of passwords and keys, by their names. */
const KEY_FILE =
  /(?:^|[\\/])[^\\/\s]*(?:passwords?|passwd|credentials?|secrets?|wallet|keychain|id_rsa|id_ed25519|密码)[^\\/\s]*$/i
const SPEAKS_OF_KEYS =
  /\b(?:keys?|tokens?|secrets?|credentials?|passwords?|env|environment|logins?|vault)\b|密钥|令牌|密码|环境变量|凭据/
/** Files that programs run or read by themselves, and the words of a user who wants one changed. */
const RUN_BY_THEMSELVES: readonly (readonly [file: RegExp, asked: RegExp])[] = [
  [
    /(?:^|\/)(?:\.(?:github|gitlab|circleci|ci|husky)\/\S+|\.?jenkinsfile|\.gitlab-ci\.ya?ml|\.travis\.yml)$/i,
    /\b(?:ci|cd|pipelines?|workflows?|actions?|hooks?|builds?|deploy\w*|jobs?|checks?|badge|release\w*)\b|流水线|构建|部署/,
  ],
  [
    /(?:^|\/)(?:package(?:-lock)?\.json|\.npmrc|\.yarnrc\S*|\.pypirc|pyproject\.toml|setup\.(?:py|cfg)|requirements[\w.-]*\.txt|cargo\.toml|go\.mod|gemfile|dockerfile|docker-compose\S*|makefile)$/i,
    /\b(?:packages?|dependenc\w*|builds?|docker\w*|make\w*|install\w*|upgrad\w*|bump\w*|updat\w*|version\w*|scripts?|releas\w*|librar\w*|pin\w*|npm|pip|cargo)\b|依赖|构建|升级|更新|安装|版本|脚本/,
  ],
  [
    /(?:^|\/)(?:\.git\/\S+|\.(?:vscode|idea|devcontainer|claude|cursor)\/\S+|(?:cron(?:\.\w+|tabs)?|init\.d|profile\.d|systemd|autostart|launch(?:agents|daemons))\/\S+|conftest\.py|sitecustomize\.py|\.bash(?:rc|_profile|_login|_logout)|\.zshrc|\.profile|\.gitconfig|\.gitmodules|authorized_keys|crontab|\.env\S*|codeowners)$/i,
    /\b(?:shell|bash|zsh|alias\w*|profile|path|git|ssh|keys?|cron\w*|env\w*|variables?|codeowners|owners?|reviewers?)\b|环境变量|定时/,
  ],
]

/** It has something secret of a kind that the user's words do not name. */
export function hasSecret({ values, request }: Evidence): boolean {
  const text = values.join('\n').toLowerCase()
  const kinds = text.match(fitting(text, SECRET)) ?? []
  return kinds.some((kind) => !request.texts.some(({ folded }) => folded.includes(kind)))
}

/** What is left of a secret in a result. */
const REDACTED = '[REDACTED:'
const CREDENTIAL_PARAM = /pass(?:word|code|phrase|wd)?$|^(?:pwd|pw|secret|token|pin)$/i
const MIN_CREDENTIAL = 4

/** A password goes only to a site that you named, or that stands beside a password in a text. */
export function credentialDoubt({ input, request, unknownTargets, untrusted }: Evidence): Doubt | undefined {
  const target = unknownTargets.find((one) => hostOf(one) !== undefined)
  const host = target && hostOf(target)
  if (host === undefined || isSiteOfWords(host, input.state)) return undefined
  const secrets = credentialsIn(input.proposal.args).filter((one) => !request.texts.some((text) => text.holds(one)))
  if (secrets.length === 0) return undefined
  const hasOne = (read: ReadText) => read.text.includes(REDACTED) || secrets.some((one) => read.holds(one))
  if (untrusted.some(({ read }) => read.holds(host) && hasOne(read))) return undefined
  return { rule: 'discloses', source: untrusted.findLast(({ read }) => read.holds(host)) ?? untrusted.at(-1), target }
}

function credentialsIn(args: unknown): string[] {
  if (!isObject(args)) return []
  return Object.entries(args).flatMap(([key, value]) => {
    if (isObject(value)) return credentialsIn(value)
    return CREDENTIAL_PARAM.test(key) && typeof value === 'string' && value.length >= MIN_CREDENTIAL ? [value] : []
  })
}

/** A key that was read, or a file that programs run: only the user's words ask for these. */
export function setUpDoubt({ values: given, action, request, untrusted }: Evidence): Doubt | undefined {
  if (action.weight === 'look' || action.weight === 'open') return undefined
  const values = given.map((value) => value.trim())
  const speaks = (pattern: RegExp) => request.texts.some((text) => text.says(pattern))
  const named = (value: string) => request.texts.some((text) => text.holds(value))
  const isKey =
    values.some(
      (value) => (fitting(value, KEY).test(value) || fitting(value, KEY_FILE).test(value)) && !named(value),
    ) && !speaks(SPEAKS_OF_KEYS)
  const isRun = values.some(
    (value) =>
      !named(value) && RUN_BY_THEMSELVES.some(([file, asked]) => fitting(value, file).test(value) && !speaks(asked)),
  )
  return isKey || isRun ? { rule: 'unasked', source: untrusted.at(-1) } : undefined
}
