/** `npm run trial:inspector`: the MCP inspector, installed from npm into a scratch folder, uses the gateway. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { published } from '../runtime/test/support/mcp.ts'

const INSPECTOR = '@modelcontextprotocol/inspector@2.12.0'
const WRIT = join(import.meta.dirname, '../runtime/bin/writ.js')

const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'writ-inspector-')))
const home = join(scratch, 'home')
const env = { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, HOME: home }
mkdirSync(join(home, '.config/writ'), { recursive: true })
writeFileSync(join(scratch, 'package.json'), '{"private":true}')
const servers = { all: { command: process.execPath, args: [published('everything'), 'stdio'] } }
writeFileSync(join(home, '.config/writ/agent.config.json'), JSON.stringify({ agent: { mcp: { servers } } }))
execFileSync('npm', ['install', INSPECTOR], { cwd: scratch, stdio: 'inherit' })

const inspect = (...words: string[]) => {
  const program = [join(scratch, 'node_modules/.bin/mcp-inspector'), '--cli', process.execPath, WRIT, 'mcp', 'serve']
  try {
    return execFileSync(process.execPath, [...program, ...words], { cwd: scratch, env, encoding: 'utf8' })
  } catch (error) {
    // It ends with an error where a tool reports one.
    return (error as { stdout: string }).stdout
  }
}
const tried: [string, string, string[]][] = [
  ['tools are listed', '"echo"', ['--method', 'tools/list']],
  ['a call is made', 'Echo: hello', ['--method', 'tools/call', '--tool-name', 'echo', '--tool-arg', 'message=hello']],
  ['a question is parked', 'writ resume', ['--method', 'tools/call', '--tool-name', 'toggle-simulated-logging']],
  ['resources are listed', 'demo://', ['--method', 'resources/list']],
  ['prompts are listed', 'args-prompt', ['--method', 'prompts/list']],
]
let failures = 0
for (const [what, expected, words] of tried) {
  const said = inspect(...words)
  const isRight = said.includes(expected)
  if (!isRight) failures++
  console.log(`${isRight ? 'ok  ' : 'FAIL'} ${what}${isRight ? '' : `: ${said}`}`)
}
rmSync(scratch, { recursive: true, force: true })
process.exit(failures === 0 ? 0 : 1)
