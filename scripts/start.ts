/** `npm start`: builds the console when it has changed, then opens it on the embedded model, in this folder. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import buildConsole from '../console/build.ts'

buildConsole()
const writ = fileURLToPath(new URL('../runtime/bin/writ.js', import.meta.url))
const server = spawn(process.execPath, [writ, 'serve', '--open', '--model', 'rules', ...process.argv.slice(2)], {
  stdio: 'inherit',
})
// Ctrl-C reaches both; the server ends its runs first, and this script with it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal))
server.on('exit', (code, signal) => {
  process.exitCode = code ?? (signal === null ? 0 : 1)
})
