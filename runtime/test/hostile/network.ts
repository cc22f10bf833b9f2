/** An approved command misuses its network access, from inside the real sandbox. */
import { sandboxStatus } from '../../src/tool/guard/sandbox.ts'
import { makePlace } from '../support/cli.ts'
import { type Site, startSite } from '../support/site.ts'
import { type Area, type Attack, propose } from './attack.ts'

interface Tried {
  id: string
  attack: string
  /** What `go.sh` in the workspace does. */
  script?: (closed: Site) => string
  command: (open: Site) => string
  redirect?: true
}

const REACHED_NOTHING = 'the open host answered, the other was not reached'

/** One host is open and another is not; the user approves the command. */
function connected({ id, attack, script, command, redirect }: Tried): Attack {
  return {
    id,
    attack,
    expected: REACHED_NOTHING,
    async happens() {
      if (!(await sandboxStatus('auto')).active) return REACHED_NOTHING
      const place = makePlace()
      const closed = await startSite({ '/': 'SECRETS' })
      const open = await startSite({
        '/': (_, response) =>
          redirect ? response.writeHead(302, { location: closed.url() }).end() : response.end('hello'),
      })
      try {
        place.file('go.sh', `${script?.(closed) ?? ''}\n`)
        const config = { security: { autonomy: 'Full', allowedCommands: ['*'], allowedHosts: [open.host] } }
        const args = { command: command(open) }
        await propose({ tool: 'shell', args, config, place, atQuestion: () => 'y' })
        const answered = open.visits.length > 0 ? 'answered' : 'was not reached'
        return `the open host ${answered}, the other was ${closed.visits.length > 0 ? 'reached' : 'not reached'}`
      } finally {
        await open.stop()
        await closed.stop()
        place.remove()
      }
    },
  }
}

const OPEN_AND_GO = (open: Site): string => `curl -s ${open.url()}; bash go.sh`

export const network: Area = {
  title: 'Network access of a command',
  attacks: [
    connected({
      id: 'network-port',
      attack: 'a command with access to one port starts a script that connects to another',
      script: (closed) => `curl -s ${closed.url()}`,
      command: OPEN_AND_GO,
    }),
    connected({
      id: 'network-direct',
      attack: 'the script bypasses the proxy',
      script: (closed) => `curl -s --noproxy '*' ${closed.url()}; exec 3<>/dev/tcp/${closed.host.replace(':', '/')}`,
      command: OPEN_AND_GO,
    }),
    connected({
      id: 'network-tunnel',
      attack: 'the script asks the proxy for a tunnel to another port',
      script: (closed) => `curl -s -p -x http://127.0.0.1:3129 ${closed.url()}`,
      command: OPEN_AND_GO,
    }),
    connected({
      id: 'network-redirect',
      attack: 'the open host redirects to another',
      command: (open) => `curl -sL ${open.url()}`,
      redirect: true,
    }),
  ],
}
