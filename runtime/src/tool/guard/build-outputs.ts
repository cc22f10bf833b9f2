/** Files that a build writes because its words say so: the values of its options. */
import { closeSync, openSync, readSync } from 'node:fs'
import type { Arg, Invocation } from './invocation.ts'
import type { PathUse } from './paths.ts'

/** Names of options whose value is written, in any program that builds. */
const WRITES =
  /^-(o|out|output|d|-out|-output|-outfile|-outdir|-outDir|-out-dir|-outFile|-out-file|-out-base|-output-?(file|dir|path|document|directory)|-dest|-destination|-dest-dir|-dist-dir|-distDir|-junit-?xml|-junitxml|-junitfile|-report-?(file|path|dir)|-log-?file|-reports?-dir(ectory)?|-coverage-?directory|-coverage\.reportsDirectory|-result-log|-tsbuildinfofile|-tsBuildInfoFile|-declarationDir|-cache-?(file|location|dir)|-save-?(to|path)?|-dump-?\w*|-write-?to|-export-?(to|path|file)|-metafile|-build-path|-html-report|-xml-report|-txt-report|-cpuprofile|-memprofile|-coverprofile|-blockprofile|-trace|-emit-\w+)$/
const WRITES_SINGLE = /^-(coverprofile|cpuprofile|memprofile|blockprofile|mutexprofile|outputdir|trace|outfile)$/
/** Names of options whose value is read. */
const READS =
  /^--?(c|p|f|r|t|k|m|i|I|L|config\w*|config-\w+|project|tsconfig|manifest-path|pom|\w*file|rc-file|settings|ini|env-file|ignore-path|require|import|loader|plugin|setup\w*|resolver|preset|input|in|src|source|schema|spec|entry|include|exclude|ignore|reporter|rulesdir|parser|formatter|test\w*|test-\w+|related|findRelatedTests|filter|grep|baseline|requirement|constraint|package|cert|key|cacert|ca|path|root\w*|cwd|directory|prefix|dir|userconfig|globalconfig)$/
/** What a compiler or linker made: it makes it again. */
const PRODUCTS = ['7f454c46', 'feedface', 'feedfacf', 'cefaedfe', 'cffaedfe', 'cafebabe', '4d5a', '213c61', '0061736d']

interface OutputWord {
  arg: Arg
  /** False: the option is not known here, so the value may also be read or not be a file. */
  isNamed: boolean
  /** The value is attached, so it belongs to the option. */
  isAttached: boolean
}

export function outputWords({ args }: Invocation): OutputWord[] {
  const end = args.findIndex(({ text }) => text === '--')
  return args.flatMap((arg, i): OutputWord[] => {
    const [, option, value = ''] = /^(--?[A-Za-z][\w.-]*)[=:](.+)$/s.exec(arg.text) ?? []
    const isAttached = option !== undefined
    const name = option ?? (arg.text.startsWith('-') ? undefined : args[i - 1]?.text)
    const short = /^-o(?![a-z]+$)(.+)$/.exec(arg.text)?.[1]
    if (short !== undefined && !isAttached) return [{ arg: { ...arg, text: short }, isNamed: true, isAttached: true }]
    if (name === undefined || !/^--?[A-Za-z][\w.-]*$/.test(name) || (end >= 0 && i - 1 === end)) return []
    const isNamed = WRITES.test(name) || WRITES_SINGLE.test(name)
    if (!isNamed && READS.test(name)) return []
    return [{ arg: isAttached ? { ...arg, text: value } : arg, isNamed, isAttached }]
  })
}

export function outputPaths(invocation: Invocation, from: (dir: string) => string): (PathUse & { isNamed: boolean })[] {
  return outputWords(invocation)
    .filter(({ arg }) => arg.known && !arg.glob)
    .flatMap(({ arg, isNamed }) =>
      invocation.dirs.map((dir) => ({ path: arg.text, access: 'write' as const, from: from(dir), isNamed })),
    )
}

/** A program or library that was built before. */
export function isProduct(place: string): boolean {
  try {
    const file = openSync(place, 'r')
    try {
      const start = Buffer.alloc(4)
      readSync(file, start)
      return PRODUCTS.some((mark) => start.toString('hex').startsWith(mark))
    } finally {
      closeSync(file)
    }
  } catch {
    return false
  }
}
