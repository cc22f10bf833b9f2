/** A way to a server that can be cut, or can swallow what is sent over it: what a broken network looks like. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface Cable {
  /** The server's address, by way of the cable. */
  url: string
  /** Breaks every connection and refuses new ones. */
  cut(): void
  /** Lets every connection stand, and new ones come about, but carries nothing. */
  swallow(): void
  /** For new connections. */
  mend(): void
  close(): Promise<void>
}

export async function openCable(to: string): Promise<Cable> {
  const port = Number(new URL(to).port)
  const sockets = new Set<Socket>()
  let state: 'whole' | 'cut' | 'swallowing' = 'whole'
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  }
  const server = createServer((near) => {
    if (state === 'cut') return near.destroy()
    keep(near)
    if (state === 'swallowing') return near.resume()
    const far = connect(port, '127.0.0.1')
    keep(far)
    near.pipe(far).pipe(near)
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    state = 'cut'
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: to.replace(`:${port}`, `:${(server.address() as AddressInfo).port}`),
    cut,
    swallow() {
      state = 'swallowing'
      for (const socket of sockets) socket.unpipe().resume()
    },
    mend() {
      state = 'whole'
    },
    async close() {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
