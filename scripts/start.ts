/** `npm start`: builds the console when it has changed, then opens it on the embedded model, in this folder. */
import buildConsole from '../console/build.ts'
import { main } from '../runtime/src/cli/main.ts'

buildConsole()
await main(['serve', '--open', '--model', 'rules', ...process.argv.slice(2)])
