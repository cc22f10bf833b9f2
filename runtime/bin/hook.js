#!/usr/bin/env node
// `node hook.js AGENT FOLDER`, with the event as JSON on standard input; `writ hook` does the same.
import { answerHook } from './hook-client.js'

const [agent = '', folder = ''] = process.argv.slice(2)
await answerHook(agent, folder)
