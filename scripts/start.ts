/** `npm start`: builds the console if it has changed, then opens it in this folder with the built-in rules. */
import buildConsole, { isConsoleBuilt } from '../console/build.ts'
import { main } from '../runtime/src/cli/main.ts'

const isChinese = /^zh/i.test(process.env.LC_ALL || process.env.LC_MESSAGES || process.env.LANG || '')
if (!isConsoleBuilt()) console.error(isChinese ? '正在构建控制台…' : 'Building the console…')
buildConsole()
await main(['serve', '--open', '--model', 'rules', ...process.argv.slice(2)])
