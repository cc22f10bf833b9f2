/** Signs of a forged frame: chat templates, role tags, tool calls, links that carry data away, planted code. */
import type { Suspicion } from './rules.ts'

interface Marker {
  rule: string
  weight: number
  pattern: RegExp
}

/** Looked for in the folded text. Every quantifier is bounded, so each is linear. */
const MARKERS: readonly Marker[] = [
  {
    rule: 'chat-template',
    weight: 46,
    pattern:
      /<\|{1,2}(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id|end_header_id|end|begin_of_text|tool)\b[^>\n]{0,20}>|\[\/?inst\]|<<\/?sys>>|<(?:start|end)_of_turn>|<\/?(?:tool_result|tool_response|tool_output|function_results|function_calls|tool_call|tool_calls)>/g,
  },
  {
    rule: 'role-tag',
    weight: 34,
    pattern:
      /<\/?(?:system|assistant|human|instructions?|information|important|admin|sys|untrusted|override|system[-_](?:message|prompt|reminder|note|instructions?)|(?:user|developer|ai|agent|assistant)[-_](?:message|instructions?|note|task|request))>|\[(?:system|admin|important|instructions?|system (?:message|note|notice|override|prompt))\]|【(?:系统|管理员|重要|指令)[^】\n]{0,12}】|\[(?:系统|管理员|重要|指令)[^\]\n]{0,12}\]/g,
  },
  {
    rule: 'frame-tag',
    weight: 24,
    pattern:
      /<\/(?:data|context|documents?|user_query|user_input|search_results|internal|query|email|output|result|prompt|user|task|notice|alert|message)>/g,
  },
  {
    rule: 'role-line',
    weight: 20,
    pattern:
      /(?:^|\n|\\n|[.!?。"'>\]] {0,3})(?:- |\* |# {0,2}|\/\/ {0,2})?(?:system|assistant|user|human|ai|ai assistant|agent|系统|用户|助手|ai助手|智能助手|管理员)\s{0,2}:(?=[\s\u4e00-\u9fff])/g,
  },
  {
    rule: 'section-mark',
    weight: 24,
    pattern:
      /#{2,4} {0,2}(?:system|instructions?|new instructions?|user|human|assistant|response|system prompt|指令|系统)\s{0,2}:|={4,} {0,3}end\b|-{4,} {0,3}end of (?:document|text|data|context|input|email)|\*{3,} {0,3}end of/g,
  },
  {
    rule: 'call-lookalike',
    weight: 26,
    pattern:
      /\{ {0,4}["'](?:name|tool|function|action)["'] {0,3}: {0,3}["'][\w.-]{1,60}["'] {0,3}, {0,4}["'](?:arguments|args|parameters|params|input|action_input)["'] {0,3}:|(?:^|\n)(?:action|action input|observation|thought|final answer) {0,2}: /g,
  },
]
const PER_MARKER = 20

const IMAGE =
  /!\[[^\]\n]{0,200}\]\(\s{0,4}<?(https?:\/\/[^)\s]{1,500})|<img[^<>]{0,300}src\s{0,2}=\s{0,2}["']?(https?:\/\/[^"'\s<>]{1,500})/gi
const LINK = /(?<!!)\[[^\]\n]{0,200}\]\(\s{0,4}<?(https?:\/\/[^)\s]{1,500})/gi
/** A value still to be filled in, or one whose name says what it carries off. */
const CARRIES =
  /[?&#/](?:[\w-]{0,20}=)?(?:\{\{?|\[|<|\$\{|%7b|%5b)[\w .-]{2,60}|[?&](?:d|data|q|secret|token|key|content|c|chat|history|msg|message|payload|leak|prompt|conversation|info|text|password|pwd|exfil|stolen|summary|context)=(?:[A-Z][A-Z_]{3,}\b|[A-Za-z0-9+/_-]{0,6}\.\.\.|$|[*_])/

const INTRODUCED =
  /(?:code (?:block|snippet|excerpt|section|segment|fragment|sample)|(?:following|below|subsequent|next) (?:piece of )?code)[^\n]{0,160}\n{1,2}```/g
const CARRIES_OFF =
  /requests\.|urllib|http\.client|socket|aiohttp|smtplib|\bwget\b|\bcurl\b|fetch\(|axios|ftplib|paramiko|httpx|telnetlib|xmlrpc|websocket/
const TAKES =
  /open\(|environ|subprocess|psutil|getpass|cookie|platform\.|shutil|exec\(|eval\(|clipboard|keyboard|pynput|sounddevice|listdir|os\.walk|winreg|screenshot|pyautogui|sqlite|scapy|nmap|uuid\.getnode|getnode|geoip|location|popen|os\.system|smtp|system\(|os\.remove|rm -|rmtree|chmod|reboot|usb\.|bluetooth|dd if=/

export function marks(folded: string): Suspicion[] {
  const found: Suspicion[] = []
  for (const { rule, weight, pattern } of MARKERS) {
    let left = PER_MARKER
    for (const match of folded.matchAll(pattern)) {
      found.push({ rule, at: match.index, weight })
      if (--left === 0) break
    }
  }
  return found
}

const OPEN_ENDED =
  /https?:\/\/[^\s"'<>)]{1,300}[?&][\w-]{1,20}=["')]{0,1}\s{1,3}(?:followed by|plus|and then|and append|append|with the|then|拼接|加上|后接|后面)/g

/** A URL that is to be completed with what the model knows. */
export function openLinks(folded: string): Suspicion[] {
  return [...folded.matchAll(OPEN_ENDED)]
    .slice(0, PER_MARKER)
    .map(({ index }) => ({ rule: 'link-carries-data', at: index, weight: 50 }))
}

/** Offsets are the original's: a value's capitals say that it is to be filled in. */
export function links(text: string): Suspicion[] {
  const found: Suspicion[] = []
  if (!text.includes('](') && !/<img/i.test(text)) return found
  for (const [pattern, weight] of [
    [IMAGE, 54],
    [LINK, 34],
  ] as const) {
    for (const match of text.matchAll(pattern)) {
      const url = match[1] ?? match[2] ?? ''
      if (!CARRIES.test(url)) continue
      found.push({ rule: 'link-carries-data', at: match.index, weight })
      if (found.length >= PER_MARKER) return found
    }
  }
  return found
}

/** "Put the following code into yours", and the code takes something and sends it off. */
export function plantedCode(folded: string): Suspicion[] {
  const found: Suspicion[] = []
  for (const match of folded.matchAll(INTRODUCED)) {
    const start = match.index + match[0].length
    const body = folded.slice(start, start + 3000)
    const close = body.indexOf('```')
    const code = close < 0 ? body : body.slice(0, close)
    const acts = Number(CARRIES_OFF.test(code)) + Number(TAKES.test(code))
    const meant = /\byours?\b|\byou\b/.test(match[0])
    if (acts === 2 || (acts === 1 && meant)) found.push({ rule: 'planted-code', at: match.index, weight: 52 })
    if (found.length >= PER_MARKER) break
  }
  return found
}
