/** Which machines a shell line would connect to. */

import { why } from '../../i18n/why.ts'
import type { HostFact, TargetFact } from '../../protocol/facts.ts'
import type { Why } from '../../protocol/why.ts'
import { clientTargets } from './client-options.ts'
import { destinations, isNetworkGit } from './git-addresses.ts'
import { splitGit } from './git-args.ts'
import { classifyAddress, concernsGate, describeHost } from './hosts.ts'
import type { Invocation } from './invocation.ts'
import { literalStart } from './literals.ts'
import { callsUnknownMachine, remotesOf, socketsOf, withoutHelper } from './remotes.ts'
import type { ShellReading } from './shell-reading.ts'
import { callsUnknownAddress, requestOf } from './web-clients.ts'

const SCHEME = /^[a-z][a-z\d+.-]*:\//i
/** Clients treat one slash like two. */
const ONE_SLASH = /^(?!file:|unix:)([a-z][a-z\d+.-]*):\/(?!\/)/i
/** With one of these characters, clients find the host at another place than `new URL`. */
const ODD_HOST = /^(?:[a-z][a-z\d+.-]*:\/+)?[^/?#]*[\\{}]/i

/**
 * Addresses that a web client in the line would call. Without a scheme, a word counts only if it is a literal address.
 */
function webFacts(reading: ShellReading): HostFact[] {
  return reading.invocations.flatMap((invocation) => {
    const request = requestOf(invocation)
    if (request === undefined) return []
    const { method, addresses } = request
    const words = invocation.args.map(literalStart)
    const written = invocation.base === 'git' ? words.map(withoutHelper) : words
    const others = written.filter((text) => SCHEME.test(text) || isLiteral(text))
    return [...addresses, ...others].map((text) => describeCalled(text, method))
  })
}

function describeCalled(text: string, method: string): HostFact {
  const fact = describeHost(SCHEME.test(text) ? text.replace(ONE_SLASH, '$1://') : `http://${text}`, method)
  return ODD_HOST.test(text) ? { ...fact, host: '', address: 'reserved' } : fact
}

/** The addresses that the gate judges. */
export function shellHosts(reading: ShellReading): HostFact[] {
  const facts = webFacts(reading)
  for (const { scheme, host, port } of remotesOf(reading)) {
    const place = host.includes(':') ? `[${host}]` : host
    facts.push(describeHost(`${scheme}://${place}${port === 0 ? '' : `:${port}`}`, 'CONNECT'))
  }
  for (const socket of socketsOf(reading)) facts.push(describeHost(socket, 'CONNECT'))
  const judged = [...facts, ...reading.invocations.flatMap(gitHosts)].filter(
    (fact) => concernsGate(fact) || fact.scheme.endsWith('::'),
  )
  return [...new Map(judged.map((fact) => [`${fact.method} ${fact.url}`, fact])).values()]
}

/** Every machine that the line names, by any protocol. */
export function shellTargets(reading: ShellReading): TargetFact[] {
  const urls = [...shellHosts(reading), ...webFacts(reading)].map(({ url }) => url)
  const hosts = remotesOf(reading).map(({ host }) => host)
  return [
    ...[...new Set(urls)].map((value) => ({ kind: 'url' as const, value })),
    ...[...new Set(hosts)].map((value) => ({ kind: 'host' as const, value })),
  ]
}

/** Options and addresses that leave open which machine is called. */
export function callDoubts(reading: ShellReading): Why[] {
  return reading.invocations.flatMap((invocation) => {
    const { base } = invocation
    const doubts = clientTargets(invocation).unclear.map((option) => why('optionLater', { base, option }))
    if (base === 'curl') doubts.push(...curlLists(invocation))
    const isOpen = callsUnknownAddress(invocation) || callsUnknownMachine(invocation)
    return isOpen ? [...doubts, why('machineLater', { base })] : doubts
  })
}

/** Curl has its own patterns and lists: `-T '{a,b}'`, `-F 'x=@a,b;headers=@c'`. */
function curlLists({ args }: Invocation): Why[] {
  return args.flatMap(({ text }, i) => {
    const before = args[i - 1]?.text ?? ''
    const isUpload = /^(-[a-zA-Z]*T|--upload-file)$/.test(before) || /^(-[a-zA-Z]*T.|--upload-file=)/s.test(text)
    const isForm = /^(-[a-zA-Z]*F|--form)$/.test(before) || /^(-[a-zA-Z]*F.|--form=)/s.test(text)
    const parts = text.replace(/;(type|filename)=[^;,"]*/g, '')
    const isList = (isUpload && /[{}[\]]/.test(text)) || (isForm && /[@<]/.test(text) && /[,;"]/.test(parts))
    return isList ? [why('sentFilesLater')] : []
  })
}

/** Addresses in all of git's forms, including `host:path` and `https::https://host/`. */
function gitHosts({ base, args }: Invocation): HostFact[] {
  if (base !== 'git') return []
  const command = splitGit(args.filter((arg) => arg.known).map((arg) => arg.text))
  return isNetworkGit(command) ? destinations(command, undefined).hosts : []
}

/** True for `127.0.0.1:80` and `localhost/x`. */
function isLiteral(text: string): boolean {
  const host = /^(\[[^\]]+\]|[^/:?#@]+)(:\d+)?([/?#]|$)/.exec(text)?.[1] ?? ''
  return classifyAddress(host) !== undefined && /[.:x]|localhost/i.test(host)
}
