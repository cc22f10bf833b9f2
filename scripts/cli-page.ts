/** The reference of the command line, from the tables and texts of its help. */
import type { Lang } from '../runtime/src/base/lang.ts'
import { type Flag, GLOBAL_FLAGS, takesValue, VALUE_FLAGS } from '../runtime/src/cli/flags.ts'
import { cliTexts } from '../runtime/src/cli/texts.ts'
import { VERBS } from '../runtime/src/cli/verbs.ts'
import { row } from './schema-rows.ts'

const WORDS = {
  en: {
    about: `# Command line

Generated from the help by \`npm run reference\`; do not edit. \`writ help\` and the option \`--help\` of every command print the same.

In a source checkout, write \`npx writ\` instead of \`writ\`. Text that starts with a dash goes after \`--\`.`,
    global: 'Flags of every command',
    exit: 'Exit codes',
    code: 'code',
    meaning: 'meaning',
    flag: 'flag',
  },
  zh: {
    about: `# 命令行

由 \`npm run reference\` 从帮助文字生成，请勿手工修改（do not edit）。\`writ help\` 和每个命令的 \`--help\` 选项输出同样的内容。

在源代码目录中，用 \`npx writ\` 代替 \`writ\`。以短横线开头的文字写在 \`--\` 之后。`,
    global: '所有命令通用的选项',
    exit: '退出码',
    code: '退出码',
    meaning: '含义',
    flag: '选项',
  },
} as const

export function cliPage(lang: Lang): string {
  const words = WORDS[lang]
  const texts = cliTexts(lang)
  const flagTable = (flags: readonly Flag[]) => {
    const rows = flags.map((flag) =>
      row([`\`--${flag}${takesValue(flag) ? ` ${VALUE_FLAGS[flag]}` : ''}\``, texts.flags[flag]]),
    )
    return [row([words.flag, words.meaning]), row(['---', '---']), ...rows].join('\n')
  }
  const verbs = VERBS.map(({ name, words: takes, flags }) => {
    const usage = takes === '' ? '' : `\n\n\`writ ${name} ${takes}\``
    const own = flags.filter((flag) => !GLOBAL_FLAGS.includes(flag))
    return `## writ ${name}${usage}\n\n${sentence(texts.verbs[name], lang)}${own.length === 0 ? '' : `\n\n${flagTable(own)}`}\n`
  })
  return `${words.about}

## ${words.global}

${flagTable(GLOBAL_FLAGS)}

## ${words.exit}

${exitTable(texts.help.exit, [words.code, words.meaning])}

${verbs.join('\n')}`
}

/** The help has lines without a full stop. */
function sentence(text: string, lang: Lang): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${lang === 'zh' ? '。' : '.'}`
}

/** “Exit codes: 0 success · 1 failure …” */
function exitTable(line: string, head: string[]): string {
  const entries = line.replace(/^[^:：]*[:：]\s*/, '').split(' · ')
  const rows = entries.map((entry) => {
    const [, code = '', meaning = ''] = /^(\d+) (.*)$/.exec(entry) ?? []
    return row([code, meaning])
  })
  return [row(head), row(['---', '---']), ...rows].join('\n')
}
