/** Signs of a forged frame: chat templates, role tags, tool calls, links that carry data out, planted code. */
import type { Suspicion } from './suspicion.ts'
import { MARKER_WEIGHT, WEIGHT } from './weights.ts'

interface Marker {
  rule: keyof typeof MARKER_WEIGHT
  pattern: RegExp
}

/** Every quantifier is bounded, so each try is, too. */
const MARKERS: readonly Marker[] = [
  {
    rule: 'chat-template',
    pattern:
      /<\|{1,2}(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id|end_header_id|end|begin_of_text|tool|sistema|systeme|usuario|utilisateur|benutzer|fin_\w{1,20}|ende?_\w{1,20})\b[^>\n]{0,20}>|\[\/?inst\]|<<\/?sys>>|<(?:start|end)_of_turn>|<\/?(?:tool_result|tool_response|tool_output|function_results|function_calls?|tool_calls?)>/y,
  },
  {
    rule: 'role-tag',
    pattern:
      /<\/?(?:system|assistant|human|instructions?|information|important|admin|sys|untrusted|override|system[-_](?:message|prompt|reminder|note|instructions?)|(?:user|developer|ai|agent|assistant)[-_](?:message|instructions?|note|task|request))>|\[(?:system|admin|important|instructions?|system (?:message|note|notice|override|prompt))\]|【(?:系统|管理员|重要|指令|用户|利用者|ユーザー|システム)[^】\n]{0,12}】|\[(?:系统|管理员|重要|指令|用户|ユーザー)(?:指令|消息|通知|提示|公告|命令|指示)?\](?!\()/y,
  },
  {
    rule: 'frame-tag',
    pattern:
      /<\/(?:data|context|documents?|user_query|user_input|search_results|internal|query|email|output|result|prompt|user|task|notice|alert|message)>/y,
  },
  {
    rule: 'section-mark',
    pattern:
      /#{2,4} {0,2}(?:system|instructions?|new instructions?|user|human|assistant|response|system prompt|指令|系统)\s{0,2}:|#{2,4} {0,2}(?:instruction|response|system|human)\n|={4} {0,3}end\b|-{4} {0,3}(?:end of|fin du|fin de la|fin del|ende des|fim do) (?:the )?(?:documento?|text[eo]?|data|context|input|email|tool|output|page|results?|message)|\*{3} {0,3}end of/y,
  },
  {
    rule: 'call-lookalike',
    pattern:
      /\{ {0,4}["'](?:name|tool|function|action)["'] {0,3}: {0,3}["'][\w.-]{1,60}["'] {0,3}, {0,4}["'](?:arguments|args|parameters|params|input|action_input)["'] {0,3}:/y,
  },
]
/** "Next step: call send_email(…": a tool that acts, named as what comes next. */
const NEXT_CALL =
  /(?:next|pending|required|following)[ _](?:step|action|operation|call|tool call)[^\n]{0,50}$|(?:下一步|下一个动作|下一次(?:工具)?调用|接下来|待执行)[^\n]{0,20}$/
const AHEAD = 70
const ANY_MARKER = new RegExp(`[<[{#=*【-](?<=(?=${MARKERS.map(({ pattern }) => pattern.source).join('|')}).)`, 'g')
const PER_MARKER = 20

const IMAGE =
  /!\[[^\]\n]{0,200}\]\(\s{0,4}<?(https?:\/\/[^)\s]{1,500})|<img[^<>]{0,300}src\s{0,2}=\s{0,2}["']?(https?:\/\/[^"'\s<>]{1,500})/gi
const LINK = /(?<!!)\[[^\]\n]{0,200}\]\(\s{0,4}<?(https?:\/\/[^)\s]{1,500})/gi
const MIDDLE = /\]\(\s{0,4}<?https?:\/\//i
/** A placeholder, or a parameter whose name says what it carries out. */
const CARRIES =
  /[?&#/](?:[\w-]{0,20}=)?(?:\{\{?|\[|<|\$\{|%7b|%5b)[\w .-]{2,60}|[?&](?:d|data|q|secret|token|key|content|c|chat|history|msg|message|payload|leak|prompt|conversation|info|text|password|pwd|exfil|stolen|summary|context)=(?:[A-Z][A-Z_]{3,}\b|[A-Za-z0-9+/_-]{0,6}\.\.\.|$|[*_])/

const INTRODUCED =
  /code (?:block|snippet|excerpt|section|segment|fragment|sample)|(?:following|below|subsequent|next) (?:piece of )?code/
const SENDS_OUT =
  /requests\.|urllib|http\.client|socket|aiohttp|smtplib|\bwget\b|\bcurl\b|fetch\(|axios|ftplib|paramiko|httpx|telnetlib|xmlrpc|websocket/
const COLLECTS =
  /open\(|environ|subprocess|psutil|getpass|cookie|platform\.|shutil|exec\(|eval\(|clipboard|keyboard|pynput|sounddevice|listdir|os\.walk|winreg|screenshot|pyautogui|sqlite|scapy|nmap|uuid\.getnode|getnode|geoip|location|popen|os\.system|smtp|system\(|os\.remove|rm -|rmtree|chmod|reboot|usb\.|bluetooth|dd if=/

export function marks(folded: string): Suspicion[] {
  const found: Suspicion[] = []
  const firsts = new Map<string, number>()
  const isOpened = (tag: string, before: number) => {
    const first = firsts.get(tag) ?? folded.indexOf(tag)
    firsts.set(tag, first)
    return first >= 0 && first < before
  }
  let left = PER_MARKER * MARKERS.length
  for (const { index } of folded.matchAll(ANY_MARKER)) {
    for (const { rule, pattern } of MARKERS) {
      pattern.lastIndex = index
      if (!pattern.test(folded)) continue
      // The end of a tag that was opened ends no frame.
      if (rule === 'frame-tag' && isOpened(`<${folded.slice(index + 2, pattern.lastIndex - 1)}`, index)) continue
      found.push({ rule, at: index, weight: MARKER_WEIGHT[rule] })
      if (--left === 0) return found
    }
  }
  return found
}

const OPEN_ENDED =
  /https?:\/\/[^\s"'<>)]{1,300}[?&][\w-]{1,20}=["')]{0,1}\s{1,3}(?:followed by|plus|and then|and append|append|with the|then|拼接|加上|后接|后面)/g

/** A URL to be completed with what the model knows. */
export function openLinks(folded: string): Suspicion[] {
  if (!folded.includes('://') || !folded.includes('=')) return []
  return [...folded.matchAll(OPEN_ENDED)]
    .slice(0, PER_MARKER)
    .map(({ index }) => ({ rule: 'link-carries-data', at: index, weight: WEIGHT.openLink }))
}

/** `tools`: where the names of tools are. */
export function nextCalls(folded: string, tools: readonly number[]): Suspicion[] {
  const found: Suspicion[] = []
  for (const index of tools) {
    const from = Math.max(0, index - AHEAD)
    const said = NEXT_CALL.exec(folded.slice(from, index))
    if (said !== null) found.push({ rule: 'next-call', at: from + said.index, weight: MARKER_WEIGHT['next-call'] })
    if (found.length >= PER_MARKER) break
  }
  return found
}

/** Reads the original text: a value in capitals is a placeholder. */
export function links(text: string): Suspicion[] {
  const found: Suspicion[] = []
  // Looking for the middle of a link is much faster than trying every bracket.
  if (!(text.includes('](') && MIDDLE.test(text)) && !(text.includes('<') && /<img/i.test(text))) return found
  for (const [pattern, weight] of [
    [IMAGE, WEIGHT.imageLink],
    [LINK, WEIGHT.link],
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

/** "Put the following code into yours", and the code collects data or sends it out. */
export function plantedCode(folded: string): Suspicion[] {
  const found: Suspicion[] = []
  let open = fence(folded, 0)
  while (open >= 0 && found.length < PER_MARKER) {
    const start = open + 4
    const close = folded.indexOf('```', start)
    const code = folded.slice(start, Math.min(close < 0 ? folded.length : close, start + 3000))
    const line = folded.slice(Math.max(0, folded.lastIndexOf('\n', Math.max(0, open - 2)), open - 300), open)
    if (INTRODUCED.test(line)) {
      const acts = Number(SENDS_OUT.test(code)) + Number(COLLECTS.test(code))
      const meant = /\byours?\b|\byou\b/.test(line)
      if (acts === 2 || (acts === 1 && meant))
        found.push({ rule: 'planted-code', at: open - line.length, weight: WEIGHT.plantedCode })
    }
    open = close < 0 ? -1 : fence(folded, close + 3)
  }
  return found
}

/** The line break before the next one. */
function fence(text: string, from: number): number {
  let at = text.indexOf('```', from + 1)
  while (at >= 0 && text[at - 1] !== '\n') at = text.indexOf('```', at + 1)
  return at < 0 ? -1 : at - 1
}
