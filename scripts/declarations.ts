/**
 * Reads the declarations that `tsc` emits, from an entry to everything its exports mention. The package ships them as
 * one file, the reference page is written from them, and a test demands that whatever they mention is exported.
 *
 * `tsc` writes every top-level declaration at the start of a line, so no parser is needed.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const EMITTED = join(ROOT, 'node_modules/.cache/declarations')

export interface Declaration {
  name: string
  kind: 'interface' | 'type' | 'class' | 'function' | 'const'
  /** All overloads of a function, each with its comment. */
  text: string
  /** The module it is declared in, as a path in `runtime/src`. */
  file: string
}

export interface PublicInterface {
  /** The names of the entry, in its order. */
  exported: string[]
  /** Everything the exported declarations mention, themselves included. */
  declarations: Declaration[]
  /** `import` lines of packages. */
  packages: string[]
}

interface Module {
  /** By local name: where it comes from. */
  imports: Map<string, { file: string; name: string }>
  external: Map<string, string>
  declared: Map<string, Declaration>
  reexports: Map<string, { file: string; name: string }>
}

const START = /^(?:export )?(?:declare )?(?:abstract )?(interface|type|class|function|const) ([\w$]+)/

/** Reads the declarations of each entry. */
export function publicInterfaces(entries: readonly string[]): PublicInterface[] {
  const folder = emitted()
  const modules = new Map<string, Module>()
  return entries.map((entry) => reachableFrom(join(folder, `${entry}.d.ts`), { folder, modules }))
}

/** The declarations of the sources as they are now; `tsc` emits them once for each state of the sources. */
function emitted(): string {
  const folder = join(EMITTED, stateOfSources())
  if (existsSync(folder)) return folder
  mkdirSync(EMITTED, { recursive: true })
  const made = mkdtempSync(join(EMITTED, 'new-'))
  try {
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
    // Whether the types are right is checked by `npm run types`.
    const project = ['-p', 'runtime/tsconfig.build.json', '--noCheck', '--checkers', '1']
    execFileSync(process.execPath, [tsc, ...project, '--outDir', made], {
      cwd: ROOT,
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    renameSync(made, folder)
    const old = readdirSync(EMITTED).filter((name) => !name.startsWith('new-') && join(EMITTED, name) !== folder)
    for (const name of old) rmSync(join(EMITTED, name), { recursive: true, force: true })
  } catch (error) {
    rmSync(made, { recursive: true, force: true })
    // Another process may have been quicker.
    if (!existsSync(folder)) throw error
  }
  return folder
}

function stateOfSources(): string {
  const sources = globSync('runtime/src/**/*.ts', { cwd: ROOT }).sort()
  const hash = createHash('sha256')
  for (const file of ['package-lock.json', 'tsconfig.json', 'runtime/tsconfig.build.json', ...sources]) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(ROOT, file)))
      .update('\0')
  }
  return hash.digest('hex')
}

/** All of it in one file, for the package. */
export function declarationFile({ declarations, exported, packages }: PublicInterface): string {
  const body = declarations.map(({ name, text }) => {
    const bare = text.replace(/^export (?=declare |interface |type |abstract |class )/gm, '')
    if (!exported.includes(name)) return bare.replace(/^(const|function|class)/m, 'declare $1')
    return bare.replace(/^(?=(?:declare|interface|type|abstract|class|const|function) )/gm, 'export ')
  })
  // Otherwise what is not marked would be exported as well.
  return `${[...packages, ...body].join('\n')}\nexport {};\n`
}

function reachableFrom(
  entry: string,
  { folder, modules }: { folder: string; modules: Map<string, Module> },
): PublicInterface {
  const load = (file: string) => {
    const known = modules.get(file) ?? readModule(file, folder)
    modules.set(file, known)
    return known
  }
  const resolve = (file: string, name: string): { file: string; declaration: Declaration } | undefined => {
    const module = load(file)
    const from = module.reexports.get(name) ?? module.imports.get(name)
    const declaration = module.declared.get(name)
    if (declaration !== undefined) return { file, declaration }
    return from === undefined ? undefined : resolve(from.file, from.name)
  }
  const { reexports, declared } = load(entry)
  const exported = [...reexports.keys(), ...[...declared.values()].filter(isExported).map(({ name }) => name)]
  const found = new Map<string, Declaration>()
  const packages = new Set<string>()
  const queue = exported.map((name) => ({ file: entry, name }))
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const at = resolve(next.file, next.name)
    if (at === undefined) continue
    const { declaration, file } = at
    const known = found.get(declaration.name)
    if (known === declaration) continue
    if (known !== undefined)
      throw new Error(`two declarations named ${declaration.name}: ${known.file}, ${declaration.file}`)
    found.set(declaration.name, declaration)
    for (const name of mentionedIn(declaration)) {
      const line = load(file).external.get(name)
      if (line !== undefined) packages.add(line)
      else if (name !== declaration.name) queue.push({ file, name })
    }
  }
  return { exported, declarations: [...found.values()], packages: [...packages] }
}

function isExported({ text }: Declaration): boolean {
  return /^export /m.test(text)
}

/** Names that may be declarations; those that are not are ignored. */
function mentionedIn({ text }: Declaration): string[] {
  return [...new Set(withoutComments(text).match(/[A-Za-z_$][\w$]*/g) ?? [])]
}

export function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, (part) =>
    part.startsWith('/*') ? '' : "''",
  )
}

function readModule(file: string, folder: string): Module {
  const module: Module = { imports: new Map(), external: new Map(), declared: new Map(), reexports: new Map() }
  const inlined = readFileSync(file, 'utf8').replace(
    /import\("(\.[^"]+)"\)\.(\w+)/g,
    (_, from: string, name: string) => {
      module.imports.set(name, { file: declarationsOf(file, from), name })
      return name
    },
  )
  for (const statement of statementsIn(inlined)) readStatement(statement, { module, file, folder })
  return module
}

function readStatement(
  statement: string,
  { module, file, folder }: { module: Module; file: string; folder: string },
): void {
  const code = statement.replace(/^(?:\/\*\*[\s\S]*?\*\/\s*)+/, '')
  const named = /^(import|export) (?:type )?\{([^}]*)\} from '([^']+)'/.exec(code)
  if (named !== null) {
    const [, how, list = '', from = ''] = named
    for (const part of list
      .split(',')
      .map((each) => each.trim().replace(/^type /, ''))
      .filter(Boolean)) {
      const [name = '', own = name] = part.split(' as ')
      if (!from.startsWith('.')) module.external.set(own, `import type { ${part} } from '${from}';`)
      else (how === 'import' ? module.imports : module.reexports).set(own, { file: declarationsOf(file, from), name })
    }
    return
  }
  const whole = /^import (?:type )?(\* as (\w+)|(\w+)) from '([^']+)'/.exec(code)
  if (whole !== null) {
    module.external.set(whole[2] ?? whole[3] ?? '', `import type ${whole[1]} from '${whole[4]}';`)
    return
  }
  const [, kind, name = ''] = START.exec(code) ?? []
  if (kind === undefined) return
  const earlier = module.declared.get(name)
  const text = earlier === undefined ? statement : `${earlier.text}\n${statement}`
  const source = relative(folder, file).replace(/\.d\.ts$/, '.ts')
  module.declared.set(name, { name, kind: kind as Declaration['kind'], text, file: source })
}

function declarationsOf(file: string, from: string): string {
  return join(dirname(file), from).replace(/\.(?:ts|js)$/, '.d.ts')
}

/** Each with the comments before it. A comment within one can also be at the start of a line. */
function statementsIn(text: string): string[] {
  const statements: string[][] = []
  let comments: string[] = []
  let isComment = false
  for (const line of text.split('\n')) {
    isComment ||= line.startsWith('/**')
    if (isComment) {
      comments.push(line)
      isComment = !line.includes('*/')
      continue
    }
    const begins = /^(?:export |declare |import |interface |type |class )/.test(line)
    if (begins) statements.push([])
    statements.at(-1)?.push(...comments, line)
    comments = []
  }
  return statements.map((lines) => lines.join('\n').trimEnd())
}
