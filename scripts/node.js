// Runs a program of this repository on Node 24, whatever version the machine has: `node scripts/node.js FILE …`.
import { delimiter, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findNode, handOver } from '../runtime/bin/launch.js'

// Child processes that start `node`, and scripts with `#!/usr/bin/env node`, use the same version.
const node = findNode(dirname(fileURLToPath(import.meta.url)))
const PATH = [...(node === undefined ? [] : [dirname(node)]), process.env.PATH].join(delimiter)

handOver(process.argv.slice(2), { env: { ...process.env, PATH }, endWithParent: true })
