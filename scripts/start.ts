/** `npm start`: builds the console if it has changed, then opens it in this folder with the built-in rules. */
import buildConsole from '../console/build.ts'
import { main } from '../runtime/src/cli/main.ts'

buildConsole()
await main(['serve', '--open', '--model', 'rules', ...process.argv.slice(2)])
