// Preloaded into a program that must end with the process that started it; see launch.js.
import { isMainThread, Worker } from 'node:worker_threads'
import { onParentGone } from './launch.js'

const [kind, value] = (process.env.WRIT_TETHER ?? '').split(':')
// Child processes have other descriptors and another parent.
if (isMainThread) delete process.env.WRIT_TETHER

// In its own thread: the main thread may be busy and would act once more before it notices.
const WATCH = `
  const { Socket } = require('node:net')
  const { workerData } = require('node:worker_threads')
  const gone = () => process.kill(process.pid, 'SIGKILL')
  new Socket({ fd: workerData }).on('error', gone).on('close', gone).resume()
`

if (isMainThread && kind === 'fd') {
  const watch = new Worker(WATCH, { eval: true, workerData: Number(value), execArgv: [], env: {} })
  watch.unref()
}
if (isMainThread && kind === 'parent') onParentGone(Number(value), () => process.kill(process.pid, 'SIGTERM'))
