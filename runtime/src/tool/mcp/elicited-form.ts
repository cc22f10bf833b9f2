/** Which questions of a server may be put to a person. */
import type { ElicitRequest, ElicitRequestFormParams } from '@modelcontextprotocol/client'
import { normalise } from '../../inspect/normalise.ts'
import { haveInjection, textsIn } from './server-text.ts'

/** A form that asks for such a thing is refused whole: a secret never goes into the form of a server. */
const SECRET = new RegExp(
  [
    /p[a4]ss ?(?:w[o0]r[dt]|phrase|code|wd|key)|\bpw[ds]?\b|\bpins?\d*\b|\btans?\b(?= code| number|\s*$|[.,;:!?])|secret|credential|\botp\b|\btotp\b/,
    /(?:api|private|access|secret|ssh|signing|encryption|license) ?(?:key|phrase)|token|mnemonic|seed ?(?:phrase|word)/,
    /(?:recovery|backup) (?:\w+ )?(?:words?|phrase|key)|\b(?:2fa|mfa|two.factor)\b|authenticator/,
    /(?:verification|log ?in|sign.?in|one.?time|security|auth\w*|recovery|backup|confirmation|sms|access|secure) ?code/,
    /code (?:\w+ ){0,4}(?:phone|sms|e.?mail|text message)|\bcv[vc]2?\b|(?:credit|debit|bank) ?card|card.?(?:number|no|nr)/,
    /\bssn\b|social security|kennwort|geheimzahl|geheimnis|zugangsdaten|mots? de passe|code secret|contrasena|\bsenha/,
    /wachtwoord|haslo\b|losenord|adgangskode|salasana|\bsifre|парол|napo[lь]|パスワード|暗証番号|비밀번호|암호/,
    /密码|密碼|口令|密钥|密鑰|金钥|令牌|验证码|驗證碼|校验码|动态码|安全码|卡号|助记词|私钥|身份证号|凭据|凭证/,
  ]
    .map(({ source }) => source)
    .join('|'),
)
const GIVE = '(?:enter|type|give|share|send|include|put|use|paste|tell|provide|reveal|write|submit|disclose)'
const TURNS = `(?:but|except|unless|until|before|after|then|instead|only|anywhere|else\\w*|wait|please|just|now|${GIVE})`
const HERE = '(?:在此|在这里)?(?:输入|填写|提供|发送|透露)(?:任何|您的|你的)?'
/** "Do not give us your PIN or a password." Only as a whole clause: "do not wait" and "anywhere but here" take nothing back. */
const NEGATED = new RegExp(
  `(?:(?:do not|don't|never|must not|should not) (?:ever )?${GIVE} (?:us |me )?(?:(?:your|an?|any|the|my) |(?=${SECRET.source}))` +
    `(?:(?!\\b${TURNS}\\b|, (?:your|my|the) )[\\w ,'-]){0,100}` +
    `|(?:请勿|不要|切勿|无需)${HERE}(?:${SECRET.source})(?:(?:或|和|、)(?:${SECRET.source}))*` +
    `|no (?:${SECRET.source})s? (?:is |are )?(?:needed|required|necessary))(?=\\s*(?:[.!;。！；()（）\\n"]|$))`,
  'g',
)
const MAX_CHARS = 16_000

/** Undefined: not a form, one that asks for a secret, or one with prompt injection. */
export function formOf(request: ElicitRequest['params']): ElicitRequestFormParams | undefined {
  if (request.mode === 'url') return undefined
  const { message, requestedSchema } = request
  if (message.length + JSON.stringify(requestedSchema).length > MAX_CHARS) return undefined
  const form = { message, requestedSchema }
  const texts = [...textsIn(form), ...Object.keys(requestedSchema.properties)]
  return asksForSecret(texts) || haveInjection(texts) ? undefined : { mode: 'form', ...form }
}

function asksForSecret(texts: readonly string[]): boolean {
  const asked = texts.map((text) => [...readings(text)].map((read) => read.replace(NEGATED, ' ')))
  // A secret can be named in two parts: one in the question, one in the title of the field.
  return [...asked.flat(), asked.map(([first]) => first).join(' ')].some((read) => SECRET.test(read))
}

/** Names such as `api_token` and `apiToken` are words; so is a word with its letters apart. */
function readings(text: string): Set<string> {
  const words = [text, text.replace(/(?<=[a-z])(?=[A-Z])/g, ' ')].map((one) =>
    normalise(one).text.replace(/[_*\-\t ]+/g, ' '),
  )
  return new Set([...words, ...words.map((one) => one.replace(/\b(\w) (?=\w\b)/g, '$1'))])
}
