import { describe, expect, test } from 'vitest'
import { destinations, parseAddress } from './git-addresses.ts'
import { splitGit } from './git-args.ts'
import { parseSettings } from './git-config.ts'
import type { Repository } from './git-repository.ts'

describe('H5: every form of git address', () => {
  test.each([
    ['https://host.example/x', { kind: 'web', url: 'https://host.example/x' }],
    ['HTTP://host/x', { kind: 'web', url: 'HTTP://host/x' }],
    ['host:r.git', { kind: 'ssh', host: 'host', port: 22 }],
    ['user@host.example:x/y', { kind: 'ssh', host: 'host.example', port: 22 }],
    ['user@[::1]:x', { kind: 'ssh', host: '::1', port: 22 }],
    ['[::1]:x', { kind: 'ssh', host: '::1', port: 22 }],
    ['[host:2222]:x', { kind: 'ssh', host: 'host', port: 2222 }],
    ['ssh://git@host:2222/x', { kind: 'ssh', host: 'host', port: 2222 }],
    ['ssh://[::1]/x', { kind: 'ssh', host: '::1', port: 22 }],
    ['git+ssh://host/x', { kind: 'ssh', host: 'host', port: 22 }],
    ['git://host/x', { kind: 'other', scheme: 'git', rest: 'git://host/x' }],
    ['ftp://host/x', { kind: 'other', scheme: 'ftp', rest: 'ftp://host/x' }],
    ['ext::sh -c id', { kind: 'other', scheme: 'ext::', rest: 'sh -c id' }],
    ['https::https://host/', { kind: 'other', scheme: 'https::', rest: 'https://host/' }],
    ['file:///etc', { kind: 'local', path: '/etc' }],
    ['FILE:///etc', { kind: 'local', path: '/etc' }],
    ['file://host/etc', { kind: 'local', path: '/host/etc' }],
    ['/srv/x', { kind: 'local', path: '/srv/x' }],
    ['./a:b', { kind: 'local', path: './a:b' }],
    ['name', { kind: 'local', path: 'name' }],
  ])('%s', (text, address) => {
    expect(parseAddress(text)).toEqual(address)
  })
})

describe('H5: named remotes', () => {
  const repository = (config: string): Repository => ({
    top: '/nowhere',
    gitDir: '/nowhere/.git',
    commonDir: '/nowhere/.git',
    settings: parseSettings(config),
    includes: [],
  })
  const reached = (line: string, config: string): string[] => {
    const { hosts, paths } = destinations(splitGit(line.split(' ')), repository(config))
    return [
      ...hosts.map(({ scheme, host, port }) => `${scheme} ${host}:${port}`),
      ...paths.map(({ path, access }) => `${access} ${path}`),
    ]
  }
  const ORIGIN = '[remote "origin"]\n url = https://user:secret@one.example/x\n'

  test.each([
    ['fetch', ORIGIN, ['https one.example:443']],
    ['fetch origin main', ORIGIN, ['https one.example:443']],
    ['push', `${ORIGIN} pushurl = git@two.example:x\n`, ['ssh two.example:22']],
    ['push origin HEAD:main', ORIGIN, ['https one.example:443']],
    ['push --repo=origin', ORIGIN, ['https one.example:443']],
    ['push', `${ORIGIN}[remote "b"]\n url = b.example:x\n[remote]\n pushDefault = b\n`, ['ssh b.example:22']],
    ['fetch --all', `${ORIGIN}[remote "b"]\n url = b.example:x\n`, ['https one.example:443', 'ssh b.example:22']],
    ['fetch --depth 1 origin', ORIGIN, ['https one.example:443']],
    [
      'fetch origin',
      `${ORIGIN}[url "http://127.0.0.1/"]\n insteadOf = https://user:secret@one.example/\n`,
      ['http 127.0.0.1:80'],
    ],
    [
      'push origin',
      `${ORIGIN}[url "evil.example:"]\n pushInsteadOf = https://user:secret@one.example/\n`,
      ['ssh evil.example:22'],
    ],
    ['fetch both', `${ORIGIN}[remotes]\n both = origin\n`, ['https one.example:443']],
    ['push https::https://three.example/', '', ['https:: three.example:443']],
    ['clone http::http://127.0.0.1/x', '', ['http:: 127.0.0.1:80']],
    ['push /srv/x main', '', ['write /srv/x']],
    ['clone -b main --depth 1 four.example:x y', '', ['ssh four.example:22']],
    ['ls-remote', ORIGIN, ['https one.example:443']],
    ['archive --remote=five.example:x HEAD', '', ['ssh five.example:22']],
    ['fetch -- -oProxyCommand=x:y', '', ['option -oproxycommand=x:22']],
  ])('git %s', (line, config, expected) => {
    expect(reached(line, config)).toEqual(expected)
  })

  test('a password in an address is in no fact', () => {
    const { hosts } = destinations(splitGit(['fetch']), repository(ORIGIN))
    expect(JSON.stringify(hosts)).not.toContain('secret')
  })
})

describe('settings are parsed like git parses them', () => {
  test.each([
    ['[a]\nb = c', [{ key: 'a.b', value: 'c' }]],
    ['[A "B.c"] d = e # f', [{ key: 'a.B.c.d', value: 'e' }]],
    ['[a]\nb = "x # y" ; z', [{ key: 'a.b', value: 'x # y' }]],
    ['[a]\nb = x \\\n  y', [{ key: 'a.b', value: 'x   y' }]],
    ['[a]\nb', [{ key: 'a.b', value: 'true' }]],
    ['[a]\n\tb = "!x \\"y\\""', [{ key: 'a.b', value: '!x "y"' }]],
    ['[remote.Origin]\nurl=x', [{ key: 'remote.origin.url', value: 'x' }]],
    ['[a][b]\nc=d', [{ key: 'b.c', value: 'd' }]],
  ])('%j', (text, settings) => {
    expect(parseSettings(text)).toEqual(settings)
  })

  test.each(['b = c', '[a', '[a]\n= c', '[a]\nb = "c', '[a]\nb = \\x'])('%j is refused', (text) => {
    expect(() => parseSettings(text)).toThrow('not a setting')
  })
})
