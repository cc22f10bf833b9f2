/** The texts of the JSON dialect in both languages. Examples can be replaced by configuration; rules cannot. */
import type { Lang } from '../i18n/locale.ts'

interface Rules {
  headings: { system: string; developer: string; examples: string }
  tools: string
  noTools: string
  forms: string
  observation(tool: string): string
}

export const RULES: Record<Lang, Rules> = {
  en: {
    headings: { system: '[System]', developer: '[Developer]', examples: '[Examples]' },
    tools: 'Tools you may use (name: purpose, then its arguments as JSON Schema):',
    noTools: '(none: answer with Final)',
    forms: `Reply with exactly one JSON object and nothing else: no prose before or after it, no code fence.
It takes one of two forms:
Action, to use a tool: {"type":"action","tool":"<name from the list>","args":{...}}
Final, when you are done: {"type":"final","answer":"..."}
Use one tool per reply. After an Action you are shown an observation, shortened if it is long; call again if you need more.
If a tool fails or your arguments are refused, you are told why: correct them and try again, or end with Final and say what is missing.`,
    observation: (tool) => `Observation from ${tool}:`,
  },
  zh: {
    headings: { system: '[系统]', developer: '[开发者]', examples: '[示例]' },
    tools: '可用工具（名称：用途，其后是参数的 JSON Schema）：',
    noTools: '（没有工具：请直接用 Final 回答）',
    forms: `每次只回复一个 JSON 对象，除此之外什么都不要写：前后不加文字，也不加代码围栏。
只有两种形式：
Action，使用工具：{"type":"action","tool":"<列表中的名称>","args":{...}}
Final，任务完成：{"type":"final","answer":"..."}
每次回复只用一个工具。Action 之后你会看到观察结果，过长时会被截短；不够就再调用一次。
如果工具失败或参数被拒绝，你会看到原因：请改正后重试，或用 Final 结束并说明缺少什么。`,
    observation: (tool) => `${tool} 的观察结果：`,
  },
}

/** Three conversations: a tool call and its answer, a corrected denial, an answer without tools. */
export const DEFAULT_EXAMPLES: Record<Lang, string> = {
  en: `Their tools are only illustrations; use those of your own list.

Example 1, a tool and then the answer
User: How many open orders does customer 17 have?
You: {"type":"action","tool":"http_request","args":{"url":"https://orders.example/customers/17?open=1"}}
User: Observation from http_request:
{"open":3}
You: {"type":"final","answer":"Customer 17 has 3 open orders."}

Example 2, a failure that is corrected
User: Give me the total of the invoice.
You: {"type":"action","tool":"json_transform","args":{"input":{"total":42},"expression":42}}
User: Observation from json_transform:
[错误] ARGS_INVALID: /expression must be a string
You: {"type":"action","tool":"json_transform","args":{"input":{"total":42},"expression":"total"}}
User: Observation from json_transform:
42
You: {"type":"final","answer":"The total is 42."}

Example 3, no tool needed
User: What is the capital of Portugal?
You: {"type":"final","answer":"Lisbon."}`,
  zh: `其中的工具仅作说明；请用你自己列表中的工具。

示例一：先用工具，再回答
用户：17 号客户有几个未完成订单？
你：{"type":"action","tool":"http_request","args":{"url":"https://orders.example/customers/17?open=1"}}
用户：http_request 的观察结果：
{"open":3}
你：{"type":"final","answer":"17 号客户有 3 个未完成订单。"}

示例二：失败后改正
用户：这张发票的总额是多少？
你：{"type":"action","tool":"json_transform","args":{"input":{"total":42},"expression":42}}
用户：json_transform 的观察结果：
[错误] ARGS_INVALID: /expression must be a string
你：{"type":"action","tool":"json_transform","args":{"input":{"total":42},"expression":"total"}}
用户：json_transform 的观察结果：
42
你：{"type":"final","answer":"总额是 42。"}

示例三：不需要工具
用户：葡萄牙的首都是哪里？
你：{"type":"final","answer":"里斯本。"}`,
}
