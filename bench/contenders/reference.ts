/**
 * What a careful person would write by hand: the bare loop with a check of every call, a scan of every result and a
 * journal in SQLite with `synchronous=FULL`, chained by hashes and committed before each request. One rule of each kind,
 * one commit per run and step: the minimum of what Writ does, not a replacement.
 */
import { hash, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { runBare } from '../bare-loop.ts'
import { LOOKUP, type Open } from '../contender.ts'
import { closeConnections, post } from './bare-http.ts'

const INJECTION = /\b(?:ignore|disregard|forget)\b.{0,40}\b(?:instructions?|prompt)\b|<\|im_start\|>|\[system\]/i
const TARGET = /https?:\/\/|@|\/etc\//

function judge(tool: string, args: { n?: unknown }): 'allow' | 'deny' {
  const fits = Object.keys(args).length === 1 && Number.isInteger(args.n)
  return tool === LOOKUP.name && fits && !TARGET.test(JSON.stringify(args)) ? 'allow' : 'deny'
}

export const open: Open = async ({ baseURL, data }) => {
  const db = new DatabaseSync(join(data, 'reference.db'))
  db.exec('pragma journal_mode = wal; pragma synchronous = full')
  db.exec(
    'create table events (pos integer primary key, run text not null, seq integer not null, type text not null, at integer not null, data text not null, hash text not null, unique (run, seq)) strict',
  )
  const insert = db.prepare('insert into events (run, seq, type, at, data, hash) values (?, ?, ?, ?, ?, ?)')

  function openJournal() {
    const run = randomUUID()
    let seq = 0
    let chain = ''
    let waiting: { type: string; text: string }[] = []
    return {
      note(type: string, value: unknown) {
        waiting.push({ type, text: JSON.stringify(value) })
      },
      flush() {
        db.exec('begin immediate')
        for (const { type, text } of waiting) {
          chain = hash('sha256', `${chain}${run}${++seq}${type}${text}`, 'hex')
          insert.run(run, seq, type, Date.now(), text, chain)
        }
        db.exec('commit')
        waiting = []
      },
    }
  }

  return {
    async run(task) {
      const journal = openJournal()
      journal.note('run.started', { task })
      const reply = await runBare(
        task,
        async (body) => {
          journal.note('model.requested', { bytes: body.length })
          journal.flush()
          const answer = await post(`${baseURL}/chat/completions`, body)
          journal.note('model.replied', answer)
          return answer
        },
        (tool, args, act) => {
          const decision = judge(tool, args)
          journal.note('gate.decided', { tool, args, decision })
          if (decision === 'deny') return 'denied'
          journal.note('tool.call', { tool, args })
          const text = act()
          const result = INJECTION.test(text) ? 'withheld' : text
          journal.note('tool.result', { tool, result })
          return result
        },
      )
      journal.note('run.stopped', { reply })
      journal.flush()
      return reply
    },
    async close() {
      db.close()
      closeConnections()
    },
  }
}
