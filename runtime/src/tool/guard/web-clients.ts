/** Which words of a web client are addresses, and the method of its request. */
import { clientTargets } from './client-options.ts'
import type { Arg, Invocation } from './invocation.ts'
import { literalStart, optionValues } from './literals.ts'
import { hasOption, partWords, type Spelling } from './options.ts'
import { CURL_VALUED, WGET_VALUED } from './options-with-value.ts'

interface Client {
  /** Options that take a value. */
  takes: Spelling
  /** Options whose value is an address. */
  addresses: Spelling
  method: Spelling
  sends: Spelling
  uploads: Spelling
}

const CURL: Client = {
  takes: {
    letters: CURL_VALUED,
    long: 'abstract-unix-socket alt-svc aws-sigv4 cacert capath cert cert-type ciphers config connect-timeout connect-to continue-at cookie cookie-jar create-file-mode crlfile curves data data-ascii data-binary data-raw data-urlencode delegation dns-interface dns-ipv4-addr dns-ipv6-addr dns-servers doh-url dump-header ech egd-file engine etag-compare etag-save expand-data expand-header expand-output expand-url expect100-timeout form form-string ftp-account ftp-alternative-to-user ftp-method ftp-port ftp-ssl-ccc-mode happy-eyeballs-timeout-ms haproxy-clientip header help hostpubmd5 hostpubsha256 hsts interface ip-tos ipfs-gateway json keepalive-cnt keepalive-time key key-type krb libcurl limit-rate local-port login-options mail-auth mail-from mail-rcpt max-filesize max-redirs max-time netrc-file noproxy oauth2-bearer output output-dir parallel-max pass pinnedpubkey preproxy proto proto-default proto-redir proxy proxy-cacert proxy-capath proxy-cert proxy-cert-type proxy-ciphers proxy-crlfile proxy-header proxy-key proxy-key-type proxy-pass proxy-pinnedpubkey proxy-service-name proxy-tls13-ciphers proxy-tlsauthtype proxy-tlspassword proxy-tlsuser proxy-user proxy1.0 pubkey quote random-file range rate referer request request-target resolve retry retry-delay retry-max-time sasl-authzid service-name socks4 socks4a socks5 socks5-gssapi-service socks5-hostname speed-limit speed-time stderr telnet-option tftp-blksize time-cond tls-max tls13-ciphers tlsauthtype tlspassword tlsuser trace trace-ascii trace-config unix-socket upload-file url url-query user user-agent variable vlan-priority write-out',
    not: 'crlf ftp-ssl-ccc head keepalive netrc parallel socks5-gssapi',
  },
  addresses: {
    letters: 'x',
    valued: CURL_VALUED,
    long: 'url expand-url proxy proxy1.0 preproxy doh-url socks4 socks4a socks5 socks5-hostname',
  },
  method: { letters: 'X', valued: CURL_VALUED, long: 'request' },
  sends: {
    letters: 'dF',
    valued: CURL_VALUED,
    long: 'data data-ascii data-binary data-raw data-urlencode expand-data form form-string json',
  },
  uploads: { letters: 'T', valued: CURL_VALUED, long: 'upload-file' },
}

const WGET: Client = {
  takes: {
    letters: WGET_VALUED,
    long: 'accept accept-regex append-output base bind-address body-data body-file ca-certificate ca-directory certificate certificate-type ciphers compression config connect-timeout crl-file cut-dirs default-page directory-prefix dns-servers dns-timeout domains egd-file exclude-directories exclude-domains execute follow-tags ftp-password ftp-user header hsts-file http-password http-user ignore-tags include-directories input-file level limit-rate load-cookies local-encoding max-redirect method output-document output-file password pinnedpubkey post-data post-file prefer-family private-key private-key-type progress proxy-password proxy-user quota random-file read-timeout referer regex-type reject reject-regex rejected-log remote-encoding report-speed restrict-file-names retry-on-http-error save-cookies secure-protocol start-pos timeout tries use-askpass user user-agent wait waitretry warc-dedup warc-file warc-header warc-max-size warc-tempdir',
    not: 'hsts proxy',
  },
  addresses: {},
  method: { long: 'method' },
  sends: { long: 'post-data post-file body-data body-file' },
  uploads: {},
}

/** Their words can be many things: only those that look like a host count. */
const OTHERS = new Set(
  'http https xh lynx w3m links elinks fetch lwp-request lwp-download axel curlie wget2'.split(' '),
)
const OTHERS_TAKE: Spelling = { letters: 'ao', long: 'auth output session' }
const HOST_NAME = /^([\w-]+\.)+[a-z]{2,}(:\d+)?([/?#]|$)/i
/** They need a scheme. */
const STRICT = new Set(['aria2c', 'git'])

interface Request {
  method: string
  /** As written, possibly without a scheme. */
  addresses: string[]
}

/** What a web client would request; undefined for other programs. */
export function requestOf(invocation: Invocation): Request | undefined {
  const { base, args } = invocation
  const byOption = clientTargets(invocation).addresses
  if (base === 'curl') return clientRequest(CURL, args, byOption)
  if (base === 'wget') return clientRequest(WGET, args, byOption)
  if (STRICT.has(base)) return { method: 'GET', addresses: byOption }
  if (!OTHERS.has(base)) return undefined
  const { words } = partWords(args.map(literalStart), OTHERS_TAKE)
  // `:3000/x` is short for this machine.
  const named = words.map((word) => (/^:\d*(\/|$)/.test(word) ? `localhost${word}` : word))
  return {
    method: words.find((word) => /^[A-Z]+$/.test(word)) ?? 'GET',
    addresses: [...byOption, ...named.filter((word) => HOST_NAME.test(word) || word.startsWith('localhost'))],
  }
}

/** True when an address is only known when the line runs. */
export function callsUnknownAddress({ base, args }: Invocation): boolean {
  if (base === 'aria2c') return args.some((arg) => !arg.known)
  const takes = base === 'curl' ? CURL.takes : base === 'wget' ? WGET.takes : OTHERS.has(base) ? OTHERS_TAKE : undefined
  if (takes === undefined || args.every((arg) => arg.known)) return false
  const given = base === 'curl' ? optionValues(args, CURL.addresses).map(literalStart) : []
  return [...given, ...partWords(args.map(literalStart), takes).words].includes('')
}

function clientRequest(client: Client, args: readonly Arg[], byOption: readonly string[]): Request {
  const { options, words } = partWords(args.map(literalStart), client.takes)
  const implied = hasOption(options, client.sends) ? 'POST' : hasOption(options, client.uploads) ? 'PUT' : 'GET'
  const given = optionValues(args, client.addresses).map(literalStart)
  return {
    method: (optionValues(args, client.method)[0]?.text ?? implied).toUpperCase(),
    addresses: [...given, ...byOption, ...words].filter((word) => word !== '' && word !== '-'),
  }
}
