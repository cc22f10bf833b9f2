/** The reference of the library, written from its declarations: the sections of an entry, and what each export is. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Declaration, type PublicInterface, publicInterfaces } from './declarations.ts'
import { examplesIn } from './examples.ts'

const SOURCES = join(import.meta.dirname, '../runtime/src')
const ENTRIES = { index: 'writ', client: 'writ/client' } as const
/** What is called comes first. */
const KINDS: readonly Declaration['kind'][] = ['function', 'class', 'interface', 'type']
const FENCE = '```'

export function apiPage(): string {
  const interfaces = publicInterfaces(Object.keys(ENTRIES))
  const parts = Object.entries(ENTRIES).map(([entry, name], i) => {
    const declared = interfaces[i]
    return declared === undefined ? '' : entryPart(entry, name, declared)
  })
  return `# Library

Generated from the sources by \`npm run reference\`; do not edit. How to use it: [the guide](../guides/embedding.md).

Everything that is not on this page may change. The examples are compiled and run by the tests, in a folder with a file
\`notes.txt\` that says "buy milk"; a comment after \`console.log\` is what it prints.

${parts.join('\n')}`
}

function entryPart(entry: string, name: string, declared: PublicInterface): string {
  const known = new Map(declared.declarations.map((declaration) => [declaration.name, declaration]))
  const placed = new Set<string>()
  const sections = sectionsOf(readFileSync(join(SOURCES, `${entry}.ts`), 'utf8')).map(({ title, names }) => {
    // What the client shares with the library is described there.
    const isShared = title === 'What the server sends'
    const own = declared.exported.filter((each) => names.has(each)).flatMap((each) => known.get(each) ?? [])
    for (const each of own) placed.add(each.name)
    const sorted = KINDS.flatMap((kind) => own.filter((each) => each.kind === kind))
    const body = isShared
      ? `The same types as above: ${sorted.map((each) => `\`${each.name}\``).join(', ')}.\n`
      : sorted.map((each) => describe(each, known)).join('\n')
    return `### ${title}\n\n${body}`
  })
  const rest = declared.exported.filter((each) => !placed.has(each)).flatMap((each) => known.get(each) ?? [])
  return `## \`${name}\`\n\n${rest.map((each) => describe(each, known)).join('\n')}\n${sections.join('\n')}`
}

/** The names after each `// ##` of an entry. */
function sectionsOf(source: string): { title: string; names: Set<string> }[] {
  return source
    .split(/^\/\/ ## /m)
    .slice(1)
    .map((text) => {
      const title = text.slice(0, text.indexOf('\n'))
      const lists = [...text.matchAll(/\{([^}]*)\} from/g)].flatMap(([, list = '']) => list.split(','))
      return { title, names: new Set(lists.map((each) => each.trim().replace(/^type /, ''))) }
    })
}

function describe({ name, text }: Declaration, known: ReadonlyMap<string, Declaration>): string {
  const [comment = ''] = /^\/\*\*[\s\S]*?\*\//.exec(text) ?? []
  const about = comment
    .slice(3, -2)
    .replace(/@example[\s\S]*$/, '')
    .replace(/^[ \t]*\* ?/gm, '')
    .trim()
  const code = text
    .slice(comment.length)
    .trim()
    .replace(/\/\*\*(?:(?!\*\/)[\s\S])*@example[\s\S]*?\*\/\n/g, '')
  const values = [...code.matchAll(/typeof (\w+)\)\[number\]/g)].flatMap(([, list = '']) => known.get(list)?.text ?? [])
  const shown = [
    code.replace(/^export (?:declare )?/gm, ''),
    ...values.map((each) => each.replace(/^[\s\S]*?(?=(?:declare )?const )/, '')),
  ]
  const examples = examplesIn(text).map((example) => `${FENCE}ts\n${example}\n${FENCE}\n`)
  return `#### ${name}\n\n${about}\n\n${examples.join('\n')}${examples.length === 0 ? '' : '\n'}${FENCE}ts\n${shown.join('\n')}\n${FENCE}\n`
}
