/** One conversation in the shape each provider's API takes it in, ready to be put into a request's body. */
import type { Lang } from '../../i18n/locale.ts'
import { renderForJson } from '../../model/dialect-json.ts'
import { conversationOf, type NeutralMessage } from './messages.ts'

type Role = 'user' | 'assistant'

export interface Shapes {
  messages_json: NeutralMessage[]
  /** `messages` of a chat completion. */
  openai: { role: 'system' | Role; content: string }[]
  gemini: {
    systemInstruction?: { parts: { text: string }[] }
    contents: { role: 'user' | 'model'; parts: { text: string }[] }[]
  }
  anthropic: { system?: TextBlock[]; messages: { role: Role; content: TextBlock[] }[] }
}

interface TextBlock {
  type: 'text'
  text: string
}

type Write<T> = (said: { system: string[]; turns: { role: Role; text: string }[] }) => T

const openai: Write<Shapes['openai']> = ({ system, turns }) => [
  ...system.map((content) => ({ role: 'system' as const, content })),
  ...turns.map(({ role, text }) => ({ role, content: text })),
]

const gemini: Write<Shapes['gemini']> = ({ system, turns }) => ({
  ...(system.length === 0 ? {} : { systemInstruction: { parts: system.map((text) => ({ text })) } }),
  contents: turns.map(({ role, text }) => ({ role: role === 'user' ? 'user' : 'model', parts: [{ text }] })),
})

const anthropic: Write<Shapes['anthropic']> = ({ system, turns }) => {
  const messages: Shapes['anthropic']['messages'] = []
  for (const { role, text } of turns) {
    const last = messages.at(-1)
    // The roles must take turns there.
    if (last?.role === role) last.content.push(block(text))
    else messages.push({ role, content: [block(text)] })
  }
  return { ...(system.length === 0 ? {} : { system: system.map(block) }), messages }
}

function block(text: string): TextBlock {
  return { type: 'text', text }
}

export const SHAPES = ['messages_json', 'openai', 'gemini', 'anthropic'] as const satisfies (keyof Shapes)[]

/** Results of tools become what the user says next: no provider takes a result whose call it has not made. */
export function shapesOf(
  messages: NeutralMessage[],
  { only, lang }: { only: readonly (keyof Shapes)[]; lang: Lang },
): Partial<Shapes> {
  const { system, history } = conversationOf(messages)
  const turns = renderForJson(history, lang).flatMap(({ role, content }) =>
    // Empty text is refused by some of them and means nothing to the others.
    content === '' ? [] : [{ role: role === 'assistant' ? role : ('user' as const), text: content }],
  )
  const said = { system, turns }
  const write: { [K in keyof Shapes]: () => Shapes[K] } = {
    messages_json: () => messages,
    openai: () => openai(said),
    gemini: () => gemini(said),
    anthropic: () => anthropic(said),
  }
  return Object.fromEntries(SHAPES.filter((name) => only.includes(name)).map((name) => [name, write[name]()]))
}
